// SPDX-License-Identifier: MIT
//
// sycl-commands.cpp: for sycl-commands.sh: commands of queues. Each case is a function,
// whose name is the argument. If two lines race, the first one says "race", and the
// second one "other".
#include <cstdio>
#include <cstring>
#include <string>
#include <sycl/sycl.hpp>
#include <vector>

using atomic
    = sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>;
constexpr int n = 16;
static int printed;

static int *shared(sycl::queue &q)
{
    int *a = sycl::malloc_shared<int>(n, q);
    for (int i = 0; i < n; i++) {
        a[i] = i;
    }
    return a;
}

template <class Q> static sycl::event doubles(Q &q, int *a, sycl::event after = {})
{
    return q.submit([&](sycl::handler &h) {
        h.depends_on(after);
        h.parallel_for<class doubling>(sycl::range<1>(n),
                                       [=](sycl::id<1> i) { a[i] = 2 * a[i]; });
    });
}

// ---- Two commands

static void kernels(bool ordered, const sycl::property_list &list)
{
    sycl::queue q(list);
    int *a = sycl::malloc_shared<int>(n, q), *b = sycl::malloc_shared<int>(n, q);
    q.fill(a, 1, n).wait();
    q.fill(b, 1, n).wait();
    sycl::event first = q.parallel_for<class writer>(sycl::range<1>(n), [=](auto i) {
        a[i] = 2; // race
    });
    if (ordered) {
        first.wait();
    }
    q.parallel_for<class reader>(sycl::range<1>(n), [=](auto i) {
        b[i] = a[n - 1 - i]; // other
    });
    q.wait();
    printed = b[0];
    sycl::free(a, q);
    sycl::free(b, q);
}
static void unordered()
{
    kernels(false, {});
}
static void waited()
{
    kernels(true, {});
}
static void in_order()
{
    kernels(false, sycl::property::queue::in_order());
}

// Command 4 comes after 2 and 3, and these after 1; or 4 after 3 alone.
static void diamond_of(bool whole)
{
    sycl::queue q;
    int *a = sycl::malloc_shared<int>(n, q), *b = sycl::malloc_shared<int>(n, q);
    sycl::event e1
        = q.parallel_for(sycl::range<1>(n), [=](auto i) { a[i] = b[i] = 1; });
    sycl::event e2 = q.parallel_for(sycl::range<1>(n), e1, [=](auto i) {
        a[i] += 1; // race
    });
    sycl::event e3 = q.parallel_for(sycl::range<1>(n), e1, [=](auto i) { b[i] += 2; });
    std::vector<sycl::event> both{ e3 };
    if (whole) {
        both.push_back(e2);
    }
    sycl::event e4 = q.parallel_for(sycl::range<1>(n), both, [=](auto i) {
        b[i] += a[i]; // other
    });
    e4.wait();
    if (whole) {
        printed = b[0] + a[1];
    }
    q.wait();
    sycl::free(a, q);
    sycl::free(b, q);
}
static void half_diamond()
{
    diamond_of(false);
}
static void diamond()
{
    diamond_of(true);
}

static void queues_of(bool ordered)
{
    sycl::queue q{ sycl::property::queue::in_order() };
    sycl::queue p{ q.get_context(), q.get_device(), sycl::property::queue::in_order() };
    int *a = sycl::malloc_device<int>(n, q);
    sycl::event e = q.parallel_for(sycl::range<1>(n), [=](auto i) {
        a[i] = 1; // race
    });
    p.submit([&](sycl::handler &h) {
        if (ordered) {
            h.depends_on(e);
        }
        h.parallel_for(sycl::range<1>(n), [=](auto i) {
            a[i] = 2; // other
        });
    });
    p.wait();
    q.wait();
    sycl::free(a, q);
}
static void two_queues()
{
    queues_of(false);
}
static void two_queues_ordered()
{
    queues_of(true);
}

static void barrier_of(bool there)
{
    sycl::queue q;
    int *a = shared(q);
    q.single_task([=] {
        a[3] = 7; // race
    });
    if (there) {
        q.ext_oneapi_submit_barrier();
    }
    q.single_task([=] {
        a[3] = 8; // other
    });
    q.wait();
    sycl::free(a, q);
}
static void no_barrier()
{
    barrier_of(false);
}
static void barrier()
{
    barrier_of(true);
}

static void mixed()
{
    sycl::queue q;
    int *a = shared(q);
    q.single_task([=] {
        a[1] = 7; // race
    });
    q.parallel_for(sycl::range<1>(n), [=](auto) {
        atomic(a[1])++; // other
    });
    q.wait();
    sycl::free(a, q);
}
static void atomics()
{
    sycl::queue q;
    int *a = shared(q);
    for (int k = 0; k < 2; k++) {
        q.parallel_for(sycl::range<1>(n), [=](auto) { atomic(a[1])++; });
    }
    q.wait();
    sycl::free(a, q);
}

// Bytes of one word; two commands read what a third wrote.
static void apart()
{
    sycl::queue q;
    char *bytes = sycl::malloc_shared<char>(n, q);
    int *a = shared(q), *b = shared(q), *c = shared(q);
    sycl::event e = doubles(q, a);
    q.single_task(e, [=] { b[0] = a[0] + a[1], bytes[0] = 1; });
    q.single_task(e, [=] { c[0] = a[0] + a[1], bytes[1] = 1; });
    q.single_task([=] { bytes[2] = 1, b[1] = 1; });
    q.wait();
    sycl::free(bytes, q);
    sycl::free(a, q);
    sycl::free(b, q);
    sycl::free(c, q);
}

// ---- Copies and tasks

static void copies_of(bool ordered)
{
    sycl::queue q;
    int *a = shared(q), *b = sycl::malloc_device<int>(n, q);
    std::vector<int> host(n);
    sycl::event e = q.memcpy(b, a, n * sizeof(int)); // race
    if (ordered) {
        e = doubles(q, b, e);
        q.memcpy(host.data(), b, n * sizeof(int), e).wait();
    } else {
        q.memset(b, 0, n * sizeof(int)); // other
    }
    q.wait();
    printed = host[1];
    sycl::free(a, q);
    sycl::free(b, q);
}
static void two_copies()
{
    copies_of(false);
}
static void copies()
{
    copies_of(true);
}

static void host_copy_of(bool ordered)
{
    sycl::queue q;
    int *a = shared(q);
    std::vector<int> host(n);
    sycl::event e = q.copy(a, host.data(), n); // race
    if (ordered) {
        e.wait();
    }
    printed = host[3]; // other
    q.wait();
    sycl::free(a, q);
}
static void copy_to_host()
{
    host_copy_of(false);
}
static void copy_to_host_waited()
{
    host_copy_of(true);
}

static void task_of(bool ordered)
{
    sycl::queue q;
    int *a = shared(q);
    sycl::event e = q.submit([&](sycl::handler &h) {
        h.host_task([=] {
            int sum = 0;
            for (int i = 0; i < n; i++) {
                sum += i;
            }
            a[2] = sum; // race
        });
    });
    q.submit([&](sycl::handler &h) {
        if (ordered) {
            h.depends_on(e);
        }
        h.single_task([=] {
            a[2]++; // other
        });
    });
    q.wait();
    sycl::free(a, q);
}
static void host_task()
{
    task_of(false);
}
static void host_task_ordered()
{
    task_of(true);
}

// ---- The host

static void host_of(bool reads, bool waits, const sycl::property_list &list)
{
    sycl::queue q(list);
    int *a = shared(q);
    sycl::event e = q.parallel_for<class computes>(sycl::range<1>(n), [=](auto i) {
        a[i] += 1; // race
    });
    if (waits) {
        e.wait_and_throw();
    }
    if (reads) {
        printed = a[3]; // other
    }
    q.wait();
    a[4] = 1;
    sycl::free(a, q);
}
static void host_reads()
{
    host_of(true, false, sycl::property::queue::in_order());
}
static void host_waits()
{
    host_of(true, true, {});
}
static void host_reads_elsewhere()
{
    sycl::queue q;
    int *a = shared(q), *b = shared(q);
    doubles(q, a);
    printed = b[3];
    b[3] = 4;
    q.wait();
    sycl::free(a, q);
    sycl::free(b, q);
}
static void host_writes()
{
    sycl::queue q;
    int *a = shared(q), *b = shared(q);
    q.single_task([=] {
        b[0] = a[0]; // race
    });
    a[0] = 7; // other
    q.wait();
    sycl::free(a, q);
    sycl::free(b, q);
}
// Reading is not a race with reading.
static void host_reads_too()
{
    sycl::queue q;
    int *a = shared(q), *b = shared(q);
    q.single_task([=] { b[0] = a[0]; });
    printed = a[0];
    q.wait();
    sycl::free(a, q);
    sycl::free(b, q);
}
static void frees_of(bool waits)
{
    sycl::queue q;
    int *a = shared(q);
    q.single_task([=] {
        a[5] = 1; // race
    });
    if (waits) {
        q.wait();
    }
    sycl::free(a, q); // other
}
static void frees()
{
    frees_of(false);
}
static void frees_after()
{
    frees_of(true);
}

// ---- Buffers and reductions

// The accessors of one buffer order what the commands do to other memory.
static void buffers()
{
    sycl::queue q;
    int *a = shared(q);
    std::vector<int> v(n);
    {
        sycl::buffer<int> b(v);
        q.submit([&](sycl::handler &h) {
            sycl::accessor x(b, h, sycl::write_only);
            h.parallel_for(sycl::range<1>(n), [=](auto i) { x[i] = a[i] = 5; });
        });
        q.submit([&](sycl::handler &h) {
            sycl::accessor x(b, h, sycl::read_write);
            h.parallel_for(sycl::range<1>(n), [=](auto i) { x[i] += a[n - 1 - i]; });
        });
        {
            sycl::host_accessor x(b, sycl::read_only);
            printed = x[0] + a[0];
        }
        q.submit([&](sycl::handler &h) {
            sycl::accessor x(b, h, sycl::read_only);
            h.parallel_for(sycl::range<1>(n), [=](auto i) { a[i] = x[i]; });
        });
    }
    printed += v[0] + a[0];
    sycl::free(a, q);
}
// Two that read it are not ordered by that.
static void two_readers()
{
    sycl::queue q;
    int *a = shared(q);
    sycl::buffer<int> b{ sycl::range<1>(n) };
    q.submit([&](sycl::handler &h) {
        sycl::accessor x(b, h, sycl::write_only);
        h.parallel_for(sycl::range<1>(n), [=](auto i) { x[i] = 5; });
    });
    q.submit([&](sycl::handler &h) {
        sycl::accessor x(b, h, sycl::read_only);
        h.single_task([=] {
            a[0] = x[0]; // race
        });
    });
    q.submit([&](sycl::handler &h) {
        sycl::accessor x(b, h, sycl::read_only);
        h.single_task([=] {
            a[0] = x[1]; // other
        });
    });
    q.wait();
    sycl::free(a, q);
}
static void sums_of(bool waits)
{
    sycl::queue q;
    int *a = shared(q), *sum = shared(q);
    sycl::event e = q.parallel_for(sycl::range<1>(n), // here
                                   sycl::reduction(sum, sycl::plus<int>()),
                                   [=](auto i, auto &s) { s += a[i]; });
    if (waits) {
        e.wait();
    }
    printed = *sum; // other
    q.wait();
    sycl::free(a, q);
    sycl::free(sum, q);
}
static void reads_sum()
{
    sums_of(false);
}
static void reduces()
{
    sums_of(true);
}

// Events that were waited for before do no harm, nor does a queue with many commands.
static void many()
{
    sycl::queue q;
    int *a = shared(q);
    sycl::event e;
    for (int k = 0; k < 40; k++) {
        e = doubles(q, a, e);
        if (k % 10 == 9) {
            e.wait();
            a[0] = 1;
        }
    }
    q.wait();
    q.wait();
    printed = a[1];
    sycl::free(a, q);
}

// Commands that access what is not there, and a host that accesses what it does not
// see.
static void bounds_of(std::size_t bytes)
{
    sycl::queue q;
    int *a = sycl::malloc_device<int>(n, q);
    q.single_task([] {}).wait();
    q.memset(a, 0, bytes).wait(); // other
    sycl::free(a, q);
}
static void past_end()
{
    bounds_of(n * sizeof(int) + 4);
}
static void to_end()
{
    bounds_of(n * sizeof(int));
}
static void lifetime_of(bool late)
{
    sycl::queue q;
    int *a = sycl::malloc_device<int>(n, q), *b = shared(q);
    q.fill(a, 1, n).wait();
    doubles(q, a).wait();
    if (late) {
        sycl::free(a, q);
    }
    q.memcpy(b, a, n * sizeof(int)).wait(); // other
    if (!late) {
        sycl::free(a, q);
    }
    sycl::free(b, q);
}
static void freed_before()
{
    lifetime_of(true);
}
static void freed_behind()
{
    lifetime_of(false);
}
static void sight_of(sycl::usm::alloc kind)
{
    sycl::queue q;
    int *a = sycl::malloc<int>(n, q, kind);
    q.single_task([] {}).wait();
    a[2] = 4; // other
    sycl::free(a, q);
}
static void writes_device()
{
    sight_of(sycl::usm::alloc::device);
}
static void writes_shared()
{
    sight_of(sycl::usm::alloc::shared);
}
int result[2];
static void result_of(bool waits)
{
    sycl::queue q;
    q.single_task([] {}).wait();
    sycl::event e = q.submit([&](sycl::handler &h) {
        h.host_task([] {
            result[1] = 5; // race
        });
    });
    if (waits) {
        e.wait();
    }
    printed = result[1]; // other
    q.wait();
}
static void reads_static()
{
    result_of(false);
}
static void reads_static_behind()
{
    result_of(true);
}

// ---- Host accessors

static sycl::event raises(sycl::queue &q, sycl::buffer<int> &b)
{
    return q.submit([&](sycl::handler &h) {
        sycl::accessor a(b, h, sycl::read_write);
        h.parallel_for<class raising>(sycl::range<1>(n), [=](auto i) { a[i] += 1; });
    });
}
static int first_of(sycl::queue &q, sycl::buffer<int> &b)
{
    return q
        .submit([&](sycl::handler &h) {
            sycl::accessor a(b, h, sycl::read_only);
            h.single_task<class looking>([=] { (void)a[0]; });
        })
        .get_wait_list()
        .empty();
}
static void holds()
{
    sycl::queue q;
    sycl::buffer<int> held(n);
    sycl::host_accessor a(held, sycl::write_only); // race
    std::memset(&a[0], 0, n * sizeof(int));
    raises(q, held);
    q.wait(); // other
    printed = a[0];
}
static void holds_less()
{
    sycl::queue q;
    sycl::buffer<int> held(n);
    {
        sycl::host_accessor a(held, sycl::write_only);
        std::memset(&a[0], 0, n * sizeof(int));
        raises(q, held);
    }
    q.wait();
    sycl::host_accessor b(held, sycl::read_only);
    printed = first_of(q, held); // reads, as the host does
    q.wait();
}
/* A copy lives longer, and the command that the host waits for uses another buffer. */
static void holds_copy()
{
    sycl::queue q;
    sycl::buffer<int> held(n), other(n);
    sycl::host_accessor<int> copy;
    {
        sycl::host_accessor a(held); // race
        std::memset(&a[0], 0, n * sizeof(int));
        copy = a;
    }
    sycl::event first = raises(q, held);
    sycl::event second = q.submit([&](sycl::handler &h) {
        sycl::accessor a(other, h, sycl::write_only);
        h.depends_on(first);
        h.fill(a, 0);
    });
    second.wait(); // other
}
static void holds_to_end()
{
    std::vector<int> of_host(n);
    sycl::queue q;
    sycl::host_accessor<int> kept;
    {
        sycl::buffer<int> held(of_host);
        kept = sycl::host_accessor(held); // race
        raises(q, held);
    } // other
}

static void context_of(bool same)
{
    sycl::device d;
    sycl::context own(d), another(d);
    sycl::queue q(own, d), p(same ? q.get_context() : another, d), r, s;
    int *a = sycl::malloc_shared<int>(n, q), *b = sycl::malloc_host<int>(n, own),
        *c = sycl::malloc_shared<int>(n, r);
    p.parallel_for(sycl::range<1>(n), [=](auto i) {
         a[i] = 1; // other
     }).wait();
    q.memcpy(b, a, n * sizeof(int)).wait();
    s.fill(c, 1, n).wait();
    sycl::free(a, q);
    sycl::free(b, own);
    sycl::free(c, s);
}
static void another_context()
{
    context_of(false);
}
static void one_context()
{
    context_of(true);
}
static void copies_context()
{
    sycl::context own{ sycl::device() };
    sycl::queue q(own, sycl::device()), p;
    int *a = sycl::malloc_shared<int>(n, q);
    p.memset(a, 0, n).wait(); // other
    sycl::free(a, q);
}
static void frees_in(bool same)
{
    sycl::context own{ sycl::device() }, another{ sycl::device() };
    sycl::queue q(own, sycl::device());
    int *a = sycl::malloc_shared<int>(n, q);
    bool right = sycl::get_pointer_type(a, own) == sycl::usm::alloc::shared
        && sycl::get_pointer_type(a, another) == sycl::usm::alloc::unknown;
    q.single_task([=] { a[0] = 1; }).wait();
    sycl::free(a, !right || same ? own : another); // other
    sycl::usm_allocator<int, sycl::usm::alloc::host> host(q);
    std::vector<int, decltype(host)> numbers(n, 0, host);
    if (!right) {
        throw sycl::exception(sycl::make_error_code(sycl::errc::runtime));
    }
}
static void frees_another()
{
    frees_in(false);
}
static void frees_own()
{
    frees_in(true);
}

#define CASES(X)                                                                       \
    X(unordered)                                                                       \
    X(waited)                                                                          \
    X(in_order)                                                                        \
    X(half_diamond)                                                                    \
    X(diamond)                                                                         \
    X(two_queues)                                                                      \
    X(two_queues_ordered)                                                              \
    X(no_barrier)                                                                      \
    X(barrier)                                                                         \
    X(mixed)                                                                           \
    X(atomics)                                                                         \
    X(apart)                                                                           \
    X(two_copies)                                                                      \
    X(copies)                                                                          \
    X(copy_to_host)                                                                    \
    X(copy_to_host_waited)                                                             \
    X(host_task)                                                                       \
    X(host_task_ordered)                                                               \
    X(host_reads)                                                                      \
    X(host_waits)                                                                      \
    X(host_reads_elsewhere)                                                            \
    X(host_writes)                                                                     \
    X(host_reads_too)                                                                  \
    X(frees)                                                                           \
    X(frees_after)                                                                     \
    X(buffers)                                                                         \
    X(two_readers)                                                                     \
    X(reads_sum)                                                                       \
    X(reduces)                                                                         \
    X(many)                                                                            \
    X(past_end)                                                                        \
    X(to_end)                                                                          \
    X(freed_before)                                                                    \
    X(freed_behind)                                                                    \
    X(writes_device)                                                                   \
    X(another_context)                                                                 \
    X(one_context)                                                                     \
    X(copies_context)                                                                  \
    X(frees_another)                                                                   \
    X(frees_own)                                                                       \
    X(writes_shared)                                                                   \
    X(reads_static)                                                                    \
    X(reads_static_behind)                                                             \
    X(holds)                                                                           \
    X(holds_less)                                                                      \
    X(holds_copy)                                                                      \
    X(holds_to_end)

int main(int argc, char **argv)
{
    const std::string name = argc > 1 ? argv[1] : "";
#define X(one)                                                                         \
    if (name == #one) {                                                                \
        one();                                                                         \
        return 0;                                                                      \
    }
    CASES(X)
#undef X
    return 2;
}
