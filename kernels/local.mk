# The built-in kernels: libkernels.a.
