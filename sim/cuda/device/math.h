/* SPDX-License-Identifier: MIT
 *
 * math.h: see math.c. */
#ifndef WEIR_CUDA_DEVICE_MATH_H
#define WEIR_CUDA_DEVICE_MATH_H

/** To the nearest number, towards zero, up, and down. */
enum weiri_cuda_rounding {
    WEIRI_CUDA_RN,
    WEIRI_CUDA_RZ,
    WEIRI_CUDA_RU,
    WEIRI_CUDA_RD,
};

/* ---- Functions that libm lacks --------------------------------------------- */

double weiri_cuda_erfinv(double x);
double weiri_cuda_erfcinv(double y);
double weiri_cuda_erfcx(double x);
double weiri_cuda_normcdf(double x);
double weiri_cuda_normcdfinv(double p);
double weiri_cuda_cyl_bessel_i0(double x);
double weiri_cuda_cyl_bessel_i1(double x);
double weiri_cuda_sinpi(double x);
double weiri_cuda_cospi(double x);
/** Euclidean, of @n numbers. */
double weiri_cuda_norm(int n, const double *p);
double weiri_cuda_normf(int n, const float *p);

/* ---- Roundings: @rounding is an enum weiri_cuda_rounding ------------------- */

float weiri_cuda_f32_of_f64(double x, int rounding);
float weiri_cuda_f32_of_i64(long long x, int rounding);
float weiri_cuda_f32_of_u64(unsigned long long x, int rounding);
double weiri_cuda_f64_of_i64(long long x, int rounding);
double weiri_cuda_f64_of_u64(unsigned long long x, int rounding);

float weiri_cuda_add_f32(float a, float b, int rounding);
float weiri_cuda_sub_f32(float a, float b, int rounding);
float weiri_cuda_mul_f32(float a, float b, int rounding);
float weiri_cuda_div_f32(float a, float b, int rounding);
float weiri_cuda_fma_f32(float a, float b, float c, int rounding);
float weiri_cuda_sqrt_f32(float a, int rounding);
double weiri_cuda_add_f64(double a, double b, int rounding);
double weiri_cuda_sub_f64(double a, double b, int rounding);
double weiri_cuda_mul_f64(double a, double b, int rounding);
double weiri_cuda_div_f64(double a, double b, int rounding);
double weiri_cuda_fma_f64(double a, double b, double c, int rounding);
double weiri_cuda_sqrt_f64(double a, int rounding);

#endif
