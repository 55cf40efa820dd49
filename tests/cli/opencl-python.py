# SPDX-License-Identifier: MIT
#
# opencl-python.py: a program of PyOpenCL, for opencl-programs.sh: kernels of its own, and
# those that PyOpenCL writes for arrays, reductions and scans.
import sys

import numpy
import pyopencl
import pyopencl.array
from pyopencl.elementwise import ElementwiseKernel
from pyopencl.reduction import ReductionKernel
from pyopencl.scan import InclusiveScanKernel

context = pyopencl.create_some_context(interactive=False)
assert context.devices[0].platform.name == "Weir"
queue = pyopencl.CommandQueue(context)
a = numpy.arange(500, dtype=numpy.float32)
b = a * 3 + 1

flags = pyopencl.mem_flags
a_memory = pyopencl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=a)
b_memory = pyopencl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=b)
result_memory = pyopencl.Buffer(context, flags.WRITE_ONLY, a.nbytes)
program = pyopencl.Program(context, """
kernel void sum(global const float *a, global const float *b, global float *result)
{
    int i = get_global_id(0);
    result[i] = a[i] + b[i];
}
""").build()
program.sum(queue, a.shape, None, a_memory, b_memory, result_memory)
result = numpy.empty_like(a)
pyopencl.enqueue_copy(queue, result, result_memory)
assert (result == a + b).all()

numbers = pyopencl.array.arange(queue, 400, dtype=numpy.int32)
assert ((numbers * 2 + 1).get() == numpy.arange(400) * 2 + 1).all()

x = pyopencl.array.to_device(queue, a)
y = pyopencl.array.to_device(queue, b)
z = pyopencl.array.empty_like(x)
linear = ElementwiseKernel(context, "float k, float *x, float *y, float *z",
                           "z[i] = k * x[i] + y[i]", "linear")
linear(2, x, y, z)
assert (z.get() == 2 * a + b).all()

dot = ReductionKernel(context, numpy.float32, neutral="0", reduce_expr="a + b",
                      map_expr="x[i] * x[i]", arguments="__global float *x")
assert abs(dot(x).get() / (a * a).sum() - 1) < 1e-5

# PyOpenCL 2022.3 reads in its scan what another item of the group has written to global
# memory, after a barrier of local memory: a race, so that this is not checked.
if sys.argv[1:] != ["scan"]:
    print("all right")
    sys.exit()
scan = InclusiveScanKernel(context, numpy.int32, "a + b", neutral="0")
ones = pyopencl.array.to_device(queue, numpy.ones(300, dtype=numpy.int32))
scan(ones)
assert (ones.get() == numpy.arange(1, 301)).all()
print("all right")
