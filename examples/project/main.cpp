/* SPDX-License-Identifier: MIT: a host in C++ for a kernel in C. */
#include "sums.h"

#include <iostream>

int main()
{
    constexpr std::size_t n = 32;
    GError *error = nullptr;
    weir_device *device = weir_device_new("default", &error);
    if (device == nullptr) {
        std::cerr << error->message << '\n';
        return 1;
    }
    std::int32_t *in = weir_new(device, std::int32_t, n, "in");
    std::int32_t *out = weir_new(device, std::int32_t, n / GROUP, "sums");
    for (std::size_t i = 0; i < n; i++) {
        in[i] = 1;
    }
    sums_args args = { in, out };
    if (!weir_launch(device, &sums, weir_nd_range_1d(n, GROUP), &args, &error)) {
        std::cerr << error->message << '\n';
        return 1;
    }
    std::size_t wrong = 0;
    for (std::size_t g = 0; g < n / GROUP; g++) {
        wrong += out[g] != GROUP;
    }
    std::cout << wrong << " of " << n / GROUP << " sums are wrong\n";
    weir_device_free(device);
    return wrong == 0 ? 0 : 1;
}
