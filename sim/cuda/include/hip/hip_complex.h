/* SPDX-License-Identifier: MIT
 *
 * hip/hip_complex.h: CUDA's complex numbers by HIP's names. */
#ifndef WEIR_HIP_COMPLEX_H
#define WEIR_HIP_COMPLEX_H

#include <cuComplex.h>

#define hipFloatComplex cuFloatComplex
#define hipDoubleComplex cuDoubleComplex
#define hipComplex cuComplex
#define make_hipFloatComplex make_cuFloatComplex
#define make_hipDoubleComplex make_cuDoubleComplex
#define make_hipComplex make_cuComplex
#define hipCreal cuCreal
#define hipCrealf cuCrealf
#define hipCimag cuCimag
#define hipCimagf cuCimagf
#define hipConj cuConj
#define hipConjf cuConjf
#define hipCadd cuCadd
#define hipCaddf cuCaddf
#define hipCsub cuCsub
#define hipCsubf cuCsubf
#define hipCmul cuCmul
#define hipCmulf cuCmulf
#define hipCdiv cuCdiv
#define hipCdivf cuCdivf
#define hipCabs cuCabs
#define hipCabsf cuCabsf
#define hipCfma cuCfma
#define hipCfmaf cuCfmaf

#endif
