// SPDX-License-Identifier: MIT
//
// twins.cpp: kernels of the registry, once more in SYCL, for `weir bench --sycl`, which
// has this text, compiles it and runs the program.
//
//     twins                  prints the kernels' names
//     twins NAME LOCAL FILE  prepares the kernel: FILE has the elements, 4 bytes each,
//                            and LOCAL is the size of a group. Each line of standard
//                            input is a run, for which it prints the milliseconds by
//                            the clock, those of the processors, and the answer
//
// Each kernel does what the one of its name does, step by step. Nothing here is tuned
// for Weir.
#include <sycl/sycl.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>

namespace
{

constexpr size_t bins_of_histograms = 2048;

struct job {
    sycl::queue q;
    const uint32_t *in;
    uint32_t *out;
    size_t n;
    size_t local;

    /* At least so many items in groups. */
    sycl::nd_range<1> range(size_t items) const
    {
        return { (items + local - 1) / local * local, local };
    }
};

template <sycl::memory_scope scope = sycl::memory_scope::device,
          sycl::access::address_space space = sycl::access::address_space::global_space>
using counter = sycl::atomic_ref<uint32_t, sycl::memory_order::relaxed, scope, space>;

/* The sum of consecutive elements by one item, in blocks of a constant size. */
uint32_t sum_of(const uint32_t *in, size_t n)
{
    constexpr size_t block_size = 64;
    uint32_t sum = 0;
    size_t i = 0;
    for (; i + block_size <= n; i += block_size) {
        uint32_t block = 0;
        for (size_t k = 0; k < block_size; k++) {
            block += in[i + k];
        }
        sum += block;
    }
    for (; i < n; i++) {
        sum += in[i];
    }
    return sum;
}

/* The tree over the local memory of a group. */
void tree(const sycl::nd_item<1> &it, const sycl::local_accessor<uint32_t> &scratch)
{
    size_t lid = it.get_local_id(0);
    for (size_t active = it.get_local_range(0); active > 1;) {
        size_t half = (active + 1) / 2;
        sycl::group_barrier(it.get_group());
        if (lid < active - half) {
            scratch[lid] += scratch[lid + half];
        }
        active = half;
    }
}

void reduce_single_item(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.parallel_for(j.range(n), [=](sycl::nd_item<1> it) {
        if (it.get_global_id(0) == 0) {
            *sum = sum_of(in, n);
        }
    });
}

void reduce_atomics1(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.parallel_for(j.range(n), [=](sycl::nd_item<1> it) {
        size_t i = it.get_global_id(0);
        if (i < n) {
            counter<>(*sum) += in[i];
        }
    });
}

void reduce_atomics2(job &j)
{
    constexpr size_t chunk = 1024;
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.parallel_for(j.range((n + chunk - 1) / chunk), [=](sycl::nd_item<1> it) {
        size_t first = it.get_global_id(0) * chunk;
        if (first < n) {
            counter<>(*sum) += sum_of(in + first, sycl::min(n - first, chunk));
        }
    });
}

void reduce_single_group(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.submit([&](sycl::handler &h) {
        sycl::local_accessor<uint32_t> scratch(j.local, h);
        h.parallel_for(j.range(j.local), [=](sycl::nd_item<1> it) {
            size_t size = it.get_local_range(0), lid = it.get_local_id(0);
            uint32_t own = 0;
            for (size_t i = lid; i < n; i += size) {
                own += in[i];
            }
            scratch[lid] = own;
            tree(it, scratch);
            if (lid == 0) {
                *sum = scratch[0];
            }
        });
    });
}

void reduce_tree(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.submit([&](sycl::handler &h) {
        sycl::local_accessor<uint32_t> scratch(j.local, h);
        h.parallel_for(j.range(n), [=](sycl::nd_item<1> it) {
            size_t i = it.get_global_id(0), lid = it.get_local_id(0);
            scratch[lid] = i < n ? in[i] : 0;
            tree(it, scratch);
            if (lid == 0) {
                counter<>(*sum) += scratch[0];
            }
        });
    });
}

void reduce_builtin(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.parallel_for(j.range(n), [=](sycl::nd_item<1> it) {
        size_t i = it.get_global_id(0);
        uint32_t value = i < n ? in[i] : 0;
        uint32_t of_group
            = sycl::reduce_over_group(it.get_group(), value, sycl::plus<uint32_t>());
        if (it.get_local_id(0) == 0) {
            counter<>(*sum) += of_group;
        }
    });
}

uint32_t sum_of_sub_group(const sycl::sub_group &sg, uint32_t value)
{
    for (uint32_t mask = sg.get_local_range()[0] / 2; mask > 0; mask /= 2) {
        value += sycl::permute_group_by_xor(sg, value, mask);
    }
    return value;
}

void reduce_shuffle(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    j.q.submit([&](sycl::handler &h) {
        sycl::local_accessor<uint32_t> scratch(j.local, h);
        h.parallel_for(j.range(n), [=](sycl::nd_item<1> it) {
            sycl::sub_group sg = it.get_sub_group();
            size_t i = it.get_global_id(0);
            uint32_t lane = sg.get_local_id()[0];
            uint32_t own = sum_of_sub_group(sg, i < n ? in[i] : 0);
            if (lane == 0) {
                scratch[sg.get_group_id()[0]] = own;
            }
            sycl::group_barrier(it.get_group());
            if (sg.get_group_id()[0] == 0) {
                own = 0;
                for (uint32_t k = lane; k < sg.get_group_range()[0];
                     k += sg.get_local_range()[0]) {
                    own += scratch[k];
                }
                own = sum_of_sub_group(sg, own);
                if (lane == 0) {
                    counter<>(*sum) += own;
                }
            }
        });
    });
}

void reduce_last_group(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *sum = j.out;
    size_t n = j.n;
    sycl::nd_range<1> range = j.range(n);
    size_t groups = range.get_group_range()[0];
    uint32_t *partials = sycl::malloc_device<uint32_t>(groups, j.q);
    uint32_t *arrived = sycl::malloc_device<uint32_t>(1, j.q);
    j.q.memset(partials, 0, groups * sizeof(uint32_t));
    j.q.memset(arrived, 0, sizeof(uint32_t));
    j.q.submit([&](sycl::handler &h) {
        sycl::local_accessor<uint32_t> scratch(j.local, h);
        h.parallel_for(range, [=](sycl::nd_item<1> it) {
            size_t i = it.get_global_id(0), lid = it.get_local_id(0);
            scratch[lid] = i < n ? in[i] : 0;
            tree(it, scratch);
            if (lid != 0) {
                return;
            }
            partials[it.get_group(0)] = scratch[0];
            sycl::atomic_ref<uint32_t, sycl::memory_order::acq_rel,
                             sycl::memory_scope::device,
                             sycl::access::address_space::global_space>
                count(*arrived);
            if (count.fetch_add(1) == it.get_group_range(0) - 1) {
                uint32_t total = 0;
                for (size_t g = 0; g < it.get_group_range(0); g++) {
                    total += partials[g];
                }
                *sum = total;
            }
        });
    });
    j.q.wait();
    sycl::free(partials, j.q);
    sycl::free(arrived, j.q);
}

void histogram_atomic_relaxed(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *bins = j.out;
    size_t n = j.n;
    j.q.parallel_for(j.range(n), [=](sycl::nd_item<1> it) {
        size_t i = it.get_global_id(0);
        if (i < n) {
            counter<>(bins[in[i]])++;
        }
    });
}

void histogram_local_relaxed(job &j)
{
    const uint32_t *in = j.in;
    uint32_t *bins = j.out;
    size_t n = j.n;
    size_t units = j.q.get_device().get_info<sycl::info::device::max_compute_units>();
    size_t groups = sycl::min(units, (n + j.local - 1) / j.local);
    j.q.submit([&](sycl::handler &h) {
        sycl::local_accessor<uint32_t> local_bins(bins_of_histograms, h);
        h.parallel_for(j.range(groups * j.local), [=](sycl::nd_item<1> it) {
            size_t size = it.get_local_range(0), lid = it.get_local_id(0);
            size_t g = it.get_group(0), of_group = n / it.get_group_range(0);
            size_t end = g == it.get_group_range(0) - 1 ? n : (g + 1) * of_group;
            size_t chunk = (end - g * of_group + size - 1) / size;
            size_t first = sycl::min(g * of_group + chunk * lid, end);
            size_t last = sycl::min(first + chunk, end);
            for (size_t bin = lid; bin < bins_of_histograms; bin += size) {
                local_bins[bin] = 0;
            }
            sycl::group_barrier(it.get_group());
            for (size_t i = first; i < last; i++) {
                counter<sycl::memory_scope::work_group,
                        sycl::access::address_space::local_space>(local_bins[in[i]])++;
            }
            sycl::group_barrier(it.get_group());
            for (size_t bin = lid; bin < bins_of_histograms; bin += size) {
                counter<>(bins[bin]) += local_bins[bin];
            }
        });
    });
}

struct row {
    const char *name;
    void (*run)(job &j);
    size_t out; /* elements of the answer */
};

const row rows[] = {
    { "reduce_single_item", reduce_single_item, 1 },
    { "reduce_atomics1", reduce_atomics1, 1 },
    { "reduce_atomics2", reduce_atomics2, 1 },
    { "reduce_single_group", reduce_single_group, 1 },
    { "reduce_tree", reduce_tree, 1 },
    { "reduce_builtin", reduce_builtin, 1 },
    { "reduce_last_group", reduce_last_group, 1 },
    { "reduce_shuffle", reduce_shuffle, 1 },
    { "histogram_atomic_relaxed", histogram_atomic_relaxed, bins_of_histograms },
    { "histogram_local_relaxed", histogram_local_relaxed, bins_of_histograms },
};

double now_ms(clockid_t clock)
{
    timespec now;
    clock_gettime(clock, &now);
    return static_cast<double>(now.tv_sec) * 1e3
        + static_cast<double>(now.tv_nsec) * 1e-6;
}

void run(const row &r, job &j)
{
    std::memset(j.out, 0, r.out * sizeof(uint32_t));
    double wall = now_ms(CLOCK_MONOTONIC),
           processors = now_ms(CLOCK_PROCESS_CPUTIME_ID);
    r.run(j);
    j.q.wait_and_throw();
    processors = now_ms(CLOCK_PROCESS_CPUTIME_ID) - processors;
    wall = now_ms(CLOCK_MONOTONIC) - wall;
    std::printf("%.6f %.6f", wall, processors);
    for (size_t i = 0; i < r.out; i++) {
        std::printf(" %u", static_cast<unsigned>(j.out[i]));
    }
    std::printf("\n");
    std::fflush(stdout);
}

int run_all(const row &r, size_t local, const char *path)
{
    std::FILE *file = std::fopen(path, "rb");
    if (file == nullptr || std::fseek(file, 0, SEEK_END) != 0) {
        std::perror(path);
        return 2;
    }
    size_t n = static_cast<size_t>(std::ftell(file)) / sizeof(uint32_t);
    std::rewind(file);
    sycl::queue q{ sycl::property::queue::in_order() };
    uint32_t *in = sycl::malloc_shared<uint32_t>(n, q);
    uint32_t *out = sycl::malloc_shared<uint32_t>(r.out, q);
    if (in == nullptr || out == nullptr
        || std::fread(in, sizeof(uint32_t), n, file) != n) {
        std::fprintf(stderr, "%s: %zu elements cannot be read\n", path, n);
        return 2;
    }
    std::fclose(file);
    job j{ q, in, out, n, local };
    for (char line[16]; std::fgets(line, sizeof(line), stdin) != nullptr;) {
        run(r, j);
    }
    sycl::free(in, q);
    sycl::free(out, q);
    return 0;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc == 1) {
        for (const row &r : rows) {
            std::puts(r.name);
        }
        return 0;
    }
    for (const row &r : rows) {
        if (argc == 4 && std::strcmp(r.name, argv[1]) == 0) {
            return run_all(r, std::strtoul(argv[2], nullptr, 10), argv[3]);
        }
    }
    std::fprintf(stderr, "usage: twins [NAME LOCAL FILE]\n");
    return 2;
}
