/* SPDX-License-Identifier: MIT
 *
 * queue.hpp: queues: [SYCL20] 4.6.5.
 *
 * A command runs when its command group has returned, and submit() returns when it has
 * ended. Under `weir check` the C side learns which commands a command waits for, and
 * for which the host waits: accesses that nothing orders are a race. */
#ifndef WEIR_SYCL_QUEUE_HPP
#define WEIR_SYCL_QUEUE_HPP

#include "handler.hpp"

namespace sycl
{
/* ---- Queues ---------------------------------------------------------------------- */

} // namespace sycl

namespace weiri
{
/* A graph that records: graph.hpp. */
struct graph_recorder {
    virtual sycl::event record(sycl::queue &, std::unique_ptr<sycl::handler>) = 0;
};

template <class S_>
using enable_choice = std::enable_if_t<
    std::is_invocable_r_v<int, std::decay_t<S_> &,
                          const sycl::device &> || std::is_same_v<S_, sycl::device>>;
} // namespace weiri

namespace sycl
{

class queue
{
    friend struct weiri::graph_access;
    property_list properties;
    std::shared_ptr<weiri::async_errors> errors
        = std::make_shared<weiri::async_errors>();
    std::shared_ptr<weiri::queue_end> end = std::make_shared<weiri::queue_end>(errors);
    std::shared_ptr<std::uint32_t> number = std::make_shared<std::uint32_t>(0);
    context in = context::weiri_of(0);

    std::uint32_t own_number()
    {
        return *number = *number != 0
            ? *number
            : weiri::weiri_sycl_queue(properties.in_order, in.weiri_number());
    }
    /* The part that is the same for all command groups, so that it is not compiled for
     * each. */
    __attribute__((noinline)) event end_group(std::unique_ptr<handler> h, event done)
    {
        if (end->recorder != nullptr) {
            return end->recorder->record(*this, std::move(h));
        }
        done.started = weiri::weiri_sycl_now();
        try {
            if (h->run_graph != nullptr) {
                h->run_graph(*this, *h);
            }
            h->run(own_number());
        } catch (const exception &) {
            throw;
        } catch (...) {
            errors->list.push_back(std::current_exception());
        }
        done.ended = weiri::weiri_sycl_now();
        done.errors = errors;
        done.number = h->number;
        if (!h->after.empty()) {
            done.after
                = std::make_shared<const std::vector<event>>(std::move(h->after));
        }
        return done;
    }
    template <class F_> event run(F_ f, const weiri::here &at)
    {
        event done;
        done.profiled = properties.profiling;
        done.submitted = weiri::weiri_sycl_now();
        std::unique_ptr<handler> h(new handler(at));
        f(*h);
        return end_group(std::move(h), std::move(done));
    }
    template <class E_, class F_>
    event run_after(const E_ &earlier, F_ f, const weiri::here &at)
    {
        return run(
            [&](handler &h) {
                h.depends_on(earlier);
                f(h);
            },
            at);
    }
    template <class X_> static void require_too(handler &, const X_ &)
    {
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_>
    static void require_too(handler &h, const accessor<T_, D_, M_, G_, P_> &accessor)
    {
        h.require(accessor);
    }
    template <class R_> static auto ranged(const R_ &r)
    {
        if constexpr (std::is_integral_v<R_>) {
            return range<1>(r);
        } else {
            return r;
        }
    }

  public:
    explicit queue(const property_list &list = {}) : properties(list)
    {
    }
    /* "queue({ p })" might copy one, too, but for these */
    explicit queue(property::queue::in_order p) : properties(p)
    {
    }
    explicit queue(property::queue::enable_profiling p) : properties(p)
    {
    }
    explicit queue(const async_handler &handler, const property_list &list = {})
        : properties(list)
    {
        errors->handler = handler;
    }
    /* of a selector or a device, in a context or none */
    template <class S_, class = weiri::enable_choice<S_>>
    explicit queue(const S_ &choice, const property_list &list = {})
        : queue(context::weiri_of(0), choice, list)
    {
    }
    template <class S_, class = weiri::enable_choice<S_>>
    explicit queue(const S_ &choice, const async_handler &handler,
                   const property_list &list = {})
        : queue(context::weiri_of(0), choice, handler, list)
    {
    }
    template <class S_, class = weiri::enable_choice<S_>>
    queue(const context &of, const S_ &choice, const property_list &list = {})
        : properties(list), in(of)
    {
        errors->handler = of.weiri_handler();
        (void)sycl::device(choice);
    }
    template <class S_, class = weiri::enable_choice<S_>>
    queue(const context &of, const S_ &choice, const async_handler &handler,
          const property_list &list = {})
        : properties(list), in(of)
    {
        errors->handler = handler;
        (void)sycl::device(choice);
    }

    sycl::device get_device() const
    {
        return {};
    }
    context get_context() const
    {
        return in;
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    bool is_host() const
    {
        return false;
    }
    bool is_in_order() const
    {
        return properties.in_order;
    }
    template <class P_> bool has_property() const noexcept
    {
        return std::is_same_v<P_, property::queue::in_order> ? properties.in_order
            : std::is_same_v<P_, property::queue::enable_profiling>
            ? properties.profiling
            : false;
    }
    template <class Q_> typename Q_::return_type get_info() const
    {
        if constexpr (std::is_same_v<Q_, info::queue::context>) {
            return in;
        } else if constexpr (std::is_same_v<Q_, info::queue::reference_count>) {
            return static_cast<std::uint32_t>(errors.use_count());
        } else {
            return {};
        }
    }
    /* of DPC++: a command has ended when it has been submitted */
    bool ext_oneapi_empty() const
    {
        return true;
    }

    void wait()
    {
        weiri::weiri_sycl_wait_queue(*number);
        weiri::host_has_waited();
    }
    void throw_asynchronous()
    {
        errors->pass_on();
    }
    void wait_and_throw()
    {
        wait();
        throw_asynchronous();
    }

    template <class F_> event submit(F_ f, weiri::here at = {})
    {
        return run(f, at);
    }
    template <class F_> event submit(F_ f, const queue &, weiri::here at = {})
    {
        return run(f, at);
    }

    template <class Name = weiri::unnamed, class F_>
    event single_task(const F_ &f, weiri::here at = {})
    {
        return run([&](handler &h) { h.single_task<Name>(f, at); }, at);
    }
    template <class Name = weiri::unnamed, class F_>
    event single_task(const event &e, const F_ &f, weiri::here at = {})
    {
        return run_after(
            e, [&](handler &h) { h.single_task<Name>(f, at); }, at);
    }
    template <class Name = weiri::unnamed, class F_>
    event single_task(const std::vector<event> &e, const F_ &f, weiri::here at = {})
    {
        return run_after(
            e, [&](handler &h) { h.single_task<Name>(f, at); }, at);
    }

/* of ranges of each kind, so that {64, 64} is one, too */
#define WEIRI_SYCL_X(declaration, Range)                                               \
    declaration event parallel_for(Range range, const F_ &f, weiri::here at = {})      \
    {                                                                                  \
        return run([&](handler &h) { h.parallel_for<Name>(range, f, at); }, at);       \
    }                                                                                  \
    declaration event parallel_for(Range range, const event &e, const F_ &f,           \
                                   weiri::here at = {})                                \
    {                                                                                  \
        return run_after(                                                              \
            e, [&](handler &h) { h.parallel_for<Name>(range, f, at); }, at);           \
    }                                                                                  \
    declaration event parallel_for(Range range, const std::vector<event> &e,           \
                                   const F_ &f, weiri::here at = {})                   \
    {                                                                                  \
        return run_after(                                                              \
            e, [&](handler &h) { h.parallel_for<Name>(range, f, at); }, at);           \
    }
#define WEIRI_SYCL_OFFSET(D_)                                                          \
    template <class Name = weiri::unnamed, class F_>                                   \
    event parallel_for(range<D_> range, id<D_> offset, const F_ &f,                    \
                       weiri::here at = {})                                            \
    {                                                                                  \
        return run([&](handler &h) { h.parallel_for<Name>(range, offset, f, at); },    \
                   at);                                                                \
    }
    WEIRI_SYCL_OFFSET(1)
    WEIRI_SYCL_OFFSET(2)
    WEIRI_SYCL_OFFSET(3)
#undef WEIRI_SYCL_OFFSET
#define WEIRI_SYCL_NAMED template <class Name = weiri::unnamed, class F_>
#define WEIRI_SYCL_OF_D template <class Name = weiri::unnamed, int D_, class F_>
    WEIRI_SYCL_X(WEIRI_SYCL_NAMED, range<1>)
    WEIRI_SYCL_X(WEIRI_SYCL_NAMED, range<2>)
    WEIRI_SYCL_X(WEIRI_SYCL_NAMED, range<3>)
    WEIRI_SYCL_X(WEIRI_SYCL_OF_D, nd_range<D_>)
#undef WEIRI_SYCL_NAMED
#undef WEIRI_SYCL_OF_D
#undef WEIRI_SYCL_X
    /* the place comes last: so one function for each number of reductions */
    template <class Name = weiri::unnamed, class R_, class A_, class F_,
              class = std::enable_if_t<weiri::is_reduction<A_>::value>>
    event parallel_for(R_ r, A_ a, const F_ &f, weiri::here at = {})
    {
        return run([&](handler &h) { h.parallel_for<Name>(ranged(r), a, f); }, at);
    }
    template <class Name = weiri::unnamed, class R_, class A_, class B_, class F_,
              class = std::enable_if_t<weiri::is_reduction<A_>::value
                                       && weiri::is_reduction<B_>::value>>
    event parallel_for(R_ r, A_ a, B_ b, const F_ &f, weiri::here at = {})
    {
        return run([&](handler &h) { h.parallel_for<Name>(ranged(r), a, b, f); }, at);
    }
    template <class Name = weiri::unnamed, class R_, class A_, class B_, class C_,
              class F_,
              class = std::enable_if_t<weiri::is_reduction<A_>::value
                                       && weiri::is_reduction<B_>::value
                                       && weiri::is_reduction<C_>::value>>
    event parallel_for(R_ r, A_ a, B_ b, C_ c, const F_ &f, weiri::here at = {})
    {
        return run([&](handler &h) { h.parallel_for<Name>(ranged(r), a, b, c, f); },
                   at);
    }

/* copies and fills: @given are the arguments that @declared declares */
#define WEIRI_SYCL_ARGUMENTS(...) __VA_ARGS__
#define WEIRI_SYCL_X(declaration, name, declared, given)                               \
    declaration event name(declared, weiri::here at = {})                              \
    {                                                                                  \
        return run([&](handler &h) { h.name(given, at); }, at);                        \
    }                                                                                  \
    declaration event name(declared, const event &e, weiri::here at = {})              \
    {                                                                                  \
        return run_after(                                                              \
            e, [&](handler &h) { h.name(given, at); }, at);                            \
    }                                                                                  \
    declaration event name(declared, const std::vector<event> &e, weiri::here at = {}) \
    {                                                                                  \
        return run_after(                                                              \
            e, [&](handler &h) { h.name(given, at); }, at);                            \
    }
    WEIRI_SYCL_X(, memcpy,
                 WEIRI_SYCL_ARGUMENTS(void *to, const void *from, std::size_t bytes),
                 WEIRI_SYCL_ARGUMENTS(to, from, bytes))
    WEIRI_SYCL_X(, memset, WEIRI_SYCL_ARGUMENTS(void *to, int value, std::size_t bytes),
                 WEIRI_SYCL_ARGUMENTS(to, value, bytes))
    WEIRI_SYCL_X(template <class T_>, fill,
                 WEIRI_SYCL_ARGUMENTS(void *to, const T_ &value, std::size_t n),
                 WEIRI_SYCL_ARGUMENTS(to, value, n))
    WEIRI_SYCL_X(template <class T_>, copy,
                 WEIRI_SYCL_ARGUMENTS(const T_ *from, T_ *to, std::size_t n),
                 WEIRI_SYCL_ARGUMENTS(from, to, n))
    WEIRI_SYCL_X(template <int = 0>, ext_oneapi_memcpy2d,
                 WEIRI_SYCL_ARGUMENTS(void *to, std::size_t to_pitch, const void *from,
                                      std::size_t from_pitch, std::size_t bytes,
                                      std::size_t rows),
                 WEIRI_SYCL_ARGUMENTS(to, to_pitch, from, from_pitch, bytes, rows))
    WEIRI_SYCL_X(template <int = 0>, ext_oneapi_memset2d,
                 WEIRI_SYCL_ARGUMENTS(void *to, std::size_t pitch, int value,
                                      std::size_t bytes, std::size_t rows),
                 WEIRI_SYCL_ARGUMENTS(to, pitch, value, bytes, rows))
    WEIRI_SYCL_X(template <class T_>, ext_oneapi_copy2d,
                 WEIRI_SYCL_ARGUMENTS(const T_ *from, std::size_t from_pitch, T_ *to,
                                      std::size_t to_pitch, std::size_t width,
                                      std::size_t rows),
                 WEIRI_SYCL_ARGUMENTS(from, from_pitch, to, to_pitch, width, rows))
    WEIRI_SYCL_X(template <class T_>, ext_oneapi_fill2d,
                 WEIRI_SYCL_ARGUMENTS(void *to, std::size_t pitch, const T_ &value,
                                      std::size_t width, std::size_t rows),
                 WEIRI_SYCL_ARGUMENTS(to, pitch, value, width, rows))
#undef WEIRI_SYCL_X
#undef WEIRI_SYCL_ARGUMENTS
/* of a device_global, of which @all is the size; see the same functions of handler */
#define WEIRI_SYCL_X(name, parameters, all, first, second)                             \
    template <parameters, class T_, class P_>                                          \
    event name(first, second, std::size_t n, std::size_t from_on = 0,                  \
               weiri::here at = {})                                                    \
    {                                                                                  \
        return run([&](handler &h) { h.name(from, to, n, from_on, at); }, at);         \
    }                                                                                  \
    template <parameters, class T_, class P_>                                          \
    event name(first, second, weiri::here at = {})                                     \
    {                                                                                  \
        return run([&](handler &h) { h.name(from, to, all, 0, at); }, at);             \
    }                                                                                  \
    template <parameters, class T_, class P_, class E_>                                \
    event name(first, second, std::size_t n, std::size_t from_on, const E_ &earlier,   \
               weiri::here at = {})                                                    \
    {                                                                                  \
        return run_after(                                                              \
            earlier, [&](handler &h) { h.name(from, to, n, from_on, at); }, at);       \
    }
#define WEIRI_SYCL_VARIABLE const ext::oneapi::experimental::device_global<T_, P_>
    WEIRI_SYCL_X(copy, class U_, sizeof(T_) / sizeof(U_), const U_ *from,
                 WEIRI_SYCL_VARIABLE &to)
    WEIRI_SYCL_X(copy, class U_, sizeof(T_) / sizeof(U_), WEIRI_SYCL_VARIABLE &from,
                 U_ *to)
    /* "from" is what is written */
    WEIRI_SYCL_X(memcpy, int = 0, sizeof(T_), WEIRI_SYCL_VARIABLE &from, const void *to)
    WEIRI_SYCL_X(memcpy, int = 0, sizeof(T_), void *from, WEIRI_SYCL_VARIABLE &to)
#undef WEIRI_SYCL_VARIABLE
#undef WEIRI_SYCL_X
    /* of accessors, which were made as placeholders */
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class To>
    event copy(const accessor<T_, D_, M_, G_, P_> &from, To to, weiri::here at = {})
    {
        return run(
            [&](handler &h) {
                h.require(from);
                require_too(h, to);
                h.copy(from, to);
            },
            at);
    }
#define WEIRI_SYCL_X(...)                                                              \
    template <class U_, class T_, int D_, access_mode M_, target G_,                   \
              access::placeholder P_>                                                  \
    event copy(__VA_ARGS__ from, const accessor<T_, D_, M_, G_, P_> &to,               \
               weiri::here at = {})                                                    \
    {                                                                                  \
        return run(                                                                    \
            [&](handler &h) {                                                          \
                h.require(to);                                                         \
                h.copy(from, to);                                                      \
            },                                                                         \
            at);                                                                       \
    }
    WEIRI_SYCL_X(const U_ *)
    WEIRI_SYCL_X(std::shared_ptr<U_>)
#undef WEIRI_SYCL_X
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_>
    event fill(const accessor<T_, D_, M_, G_, P_> &to, const U_ &value,
               weiri::here at = {})
    {
        return run(
            [&](handler &h) {
                h.require(to);
                h.fill(to, value);
            },
            at);
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_>
    event update_host(const accessor<T_, D_, M_, G_, P_> &of, weiri::here at = {})
    {
        return run(
            [&](handler &h) {
                h.require(of);
                h.update_host(of);
            },
            at);
    }

    /* with properties of DPC++ */
    template <class Name = weiri::unnamed, class P_, class F_,
              class = weiri::enable_properties<P_>>
    event single_task(const P_ &chosen, const F_ &f, weiri::here at = {})
    {
        return run([&](handler &h) { h.single_task<Name>(chosen, f, at); }, at);
    }
    template <class Name = weiri::unnamed, template <int> class Range, int D_, class P_,
              class F_, class = weiri::enable_properties<P_>>
    event parallel_for(Range<D_> range, const P_ &chosen, const F_ &f,
                       weiri::here at = {})
    {
        return run([&](handler &h) { h.parallel_for<Name>(range, chosen, f, at); }, at);
    }
    template <class Name = weiri::unnamed, template <int> class Range, int D_, class E_,
              class P_, class F_, class = weiri::enable_properties<P_>>
    event parallel_for(Range<D_> range, const E_ &earlier, const P_ &chosen,
                       const F_ &f, weiri::here at = {})
    {
        return run_after(
            earlier, [&](handler &h) { h.parallel_for<Name>(range, chosen, f, at); },
            at);
    }
    template <class... X_> event prefetch(const void *, std::size_t, const X_ &...after)
    {
        return run([&](handler &h) { (h.depends_on(after), ...); }, weiri::here());
    }
    template <class... X_>
    event mem_advise(const void *, std::size_t, int, const X_ &...after)
    {
        return run([&](handler &h) { (h.depends_on(after), ...); }, weiri::here());
    }
    /* Runs a graph: graph.hpp. */
    template <class G_> event ext_oneapi_graph(const G_ &graph, weiri::here at = {})
    {
        return run([&](handler &h) { h.ext_oneapi_graph(graph); }, at);
    }
    template <class G_, class E_>
    event ext_oneapi_graph(const G_ &graph, const E_ &earlier, weiri::here at = {})
    {
        return run_after(
            earlier, [&](handler &h) { h.ext_oneapi_graph(graph); }, at);
    }
    event ext_oneapi_submit_barrier(const std::vector<event> &e = {})
    {
        return run([&](handler &h) { h.ext_oneapi_barrier(e); }, weiri::here());
    }

    std::size_t weiri_hash() const noexcept
    {
        return std::hash<std::shared_ptr<weiri::async_errors>>()(errors);
    }
    friend bool operator==(const queue &a, const queue &b)
    {
        return a.errors == b.errors;
    }
    friend bool operator!=(const queue &a, const queue &b)
    {
        return !(a == b);
    }
};

} // namespace sycl

namespace weiri
{

inline std::uint32_t context_of(const sycl::queue &of) noexcept
{
    return of.get_context().weiri_number();
}

} // namespace weiri

#endif
