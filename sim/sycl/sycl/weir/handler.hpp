/* SPDX-License-Identifier: MIT
 *
 * handler.hpp: command groups: [SYCL20] 4.9.4. A handler collects what a command does,
 * what it waits for and what buffers it uses; then the queue runs it. */
#ifndef WEIR_SYCL_HANDLER_HPP
#define WEIR_SYCL_HANDLER_HPP

#include "accessor.hpp"
#include "event.hpp"
#include "launch.hpp"
#include "missing.hpp"
#include "reduction.hpp"
#include "usm.hpp"

namespace sycl
{

class queue;

class handler
{
    friend class queue;
    friend uint64_t weiri::add_local(handler &, std::size_t, std::size_t,
                                     const weiri::here &);
    friend void weiri::add_use(handler &, const void *, bool);

    std::vector<weiri::local_request> locals;
    weiri::specializations values;
    std::vector<event> after;
    std::vector<weiri::weiri_sycl_use> uses;
    std::function<void()> command;
    weiri::weiri_sycl_command start = {}; /* but for what the vectors hold */
    std::uint32_t number = 0; /* of the command that runs, if it is observed */
    weiri::here at;

    explicit handler(const weiri::here &at_) : at(at_)
    {
    }
    handler(const handler &) = delete;
    handler &operator=(const handler &) = delete;

    void set(std::function<void()> next)
    {
        if (command) {
            throw exception(errc::invalid, "a command group has one command");
        }
        command = std::move(next);
    }
    void set(const char *what, std::function<void()> next)
    {
        set(std::move(next));
        start.what = what;
        start.kind = weiri::WEIRI_SYCL_COPY;
    }
    /* The command itself reads or writes memory. */
    void touch(const void *memory, std::size_t bytes, bool writes,
               const weiri::here &place)
    {
        if (number != 0) {
            weiri::weiri_sycl_touch(memory, bytes, writes, place.file, place.line,
                                    place.function);
        }
    }

    struct running {
        handler &h;
        explicit running(handler &handler) : h(handler)
        {
            std::vector<std::uint32_t> numbers;
            for (const event &earlier : h.after) {
                numbers.push_back(earlier.number);
            }
            h.start.after = numbers.data();
            h.start.n_after = numbers.size();
            h.start.uses = h.uses.data();
            h.start.n_uses = h.uses.size();
            h.number = weiri::weiri_sycl_begin(&h.start);
        }
        ~running()
        {
            weiri::weiri_sycl_end(h.number);
        }
    };
    void run(std::uint32_t queue)
    {
        start.queue = queue;
        const running now(*this);
        if (command) {
            command();
        }
    }

    template <class Name, int D, class F>
    void run_nd(const nd_range<D> &range, const F &f, const weiri::here &place)
    {
        std::size_t global[D], local[D];
        for (int d = 0; d < D; d++) {
            global[d] = range.get_global_range().get(d);
            local[d] = range.get_local_range().get(d);
        }
        weiri::launch(f, locals, weiri::name_of<Name>(), D, global, local, place);
    }
    template <class Name, int D, class F>
    void run_range(const range<D> &range, const F &f, const weiri::here &place)
    {
        std::size_t global[D], local[D];
        weiri::choose_groups(range, global, local);
        weiri::launch(f, locals, weiri::name_of<Name>(), D, global, local, place);
    }

    /* Sums of groups, group after group, and then what the variable held. */
    template <class R>
    void finish(const R &reduction,
                const std::vector<weiri::part_sum<typename R::value_type>> &sums)
    {
        touch(reduction.target, reduction.n * sizeof(*reduction.target), true, at);
        for (std::size_t k = 0; k < reduction.n; k++) {
            auto result = reduction.keeps
                ? std::optional<typename R::value_type>(reduction.target[k])
                : reduction.identity;
            for (std::size_t i = k; i < sums.size(); i += reduction.n) {
                if (sums[i].is) {
                    result
                        = result ? reduction.op(*result, sums[i].value) : sums[i].value;
                }
            }
            if (result) {
                reduction.target[k] = *result;
            }
        }
    }
    template <class Range, class Start, class F, class... R, std::size_t... I>
    void reduce(std::size_t groups, const F &f, Start start,
                const std::tuple<R...> &reductions, std::index_sequence<I...>)
    {
        std::tuple<std::vector<weiri::part_sum<typename R::value_type>>...> sums(
            std::vector<weiri::part_sum<typename R::value_type>>(
                groups * std::get<I>(reductions).n)...);
        auto parts
            = std::make_tuple(weiri::parts<typename R::value_type, typename R::op_type>{
                std::get<I>(sums).data(), std::get<I>(reductions).n,
                std::get<I>(reductions).identity, std::get<I>(reductions).op }...);
        start(f, parts);
        (finish(std::get<I>(reductions), std::get<I>(sums)), ...);
    }

  public:
    void depends_on(const event &earlier)
    {
        after.push_back(earlier);
    }
    void depends_on(const std::vector<event> &earlier)
    {
        after.insert(after.end(), earlier.begin(), earlier.end());
    }
    template <class T, int D, access_mode M, target G, access::placeholder P>
    void require(const accessor<T, D, M, G, P> &accessor)
    {
        weiri::add_use(*this, accessor.weiri_address(), !weiri::reads_only(M));
    }

    template <bundle_state State>
    void use_kernel_bundle(const kernel_bundle<State> &bundle)
    {
        values = bundle.values;
    }
    template <auto &Id> void set_specialization_constant(weiri::special<Id> value)
    {
        values.set(Id, value);
    }
    template <auto &Id> weiri::special<Id> get_specialization_constant() const
    {
        return weiri::special_of(values.all(), Id);
    }

    template <class Name = weiri::unnamed, class F>
    void single_task(const F &f, weiri::here place = {})
    {
        set([this, f, place] {
            const auto g = weiri::with_handler<>(f, values);
            run_nd<Name>(nd_range<1>(1, 1), weiri::task_kernel<decltype(g)>{ g },
                         place);
        });
    }

#define WEIRI_SYCL_RANGES(X) X(1) X(2) X(3)
#define X(D)                                                                           \
    template <class Name = weiri::unnamed, class F>                                    \
    void parallel_for(range<D> range, const F &f, weiri::here place = {})              \
    {                                                                                  \
        parallel_for<Name>(range, id<D>(), f, place);                                  \
    }                                                                                  \
    template <class Name = weiri::unnamed, class F>                                    \
    void parallel_for(range<D> range, id<D> offset, const F &f,                        \
                      weiri::here place = {})                                          \
    {                                                                                  \
        set([this, range, offset, f, place] {                                          \
            const auto g = weiri::with_handler<sycl::item<D>>(f, values);              \
            run_range<Name>(range,                                                     \
                            weiri::range_kernel<decltype(g), D>{ g, range, offset },   \
                            place);                                                    \
        });                                                                            \
    }
    WEIRI_SYCL_RANGES(X)
#undef X
#undef WEIRI_SYCL_RANGES
    template <class Name = weiri::unnamed, int D, class F>
    void parallel_for(nd_range<D> range, const F &f, weiri::here place = {})
    {
        set([this, range, f, place] {
            const auto g = weiri::with_handler<nd_item<D>>(f, values);
            run_nd<Name>(range,
                         weiri::nd_kernel<decltype(g), D>{ g, range.get_offset() },
                         place);
        });
    }

    /* with one reduction or more, and the function behind them */
    template <class Name = weiri::unnamed, template <int> class Range, int D,
              class First, class... Rest,
              class = std::enable_if_t<weiri::is_reduction<First>::value>>
    void parallel_for(Range<D> range, First first, Rest... rest)
    {
        with_reductions<Name>(range, std::make_tuple(first, rest...),
                              std::make_index_sequence<sizeof...(Rest)>());
    }

    template <class Name = weiri::unnamed, int D, class F>
    void parallel_for_work_group(range<D> groups, range<D> size, const F &f,
                                 weiri::here place = {});
    template <class Name = weiri::unnamed, int D, class F>
    void parallel_for_work_group(range<D> groups, const F &f, weiri::here place = {});

    template <class F> void host_task(const F &f)
    {
        set("host_task", [f] {
            if constexpr (std::is_invocable_v<const F &>) {
                f();
            } else {
                f(interop_handle());
            }
        });
        start.kind = weiri::WEIRI_SYCL_TASK;
    }

    void memcpy(void *to, const void *from, std::size_t bytes, weiri::here place = {})
    {
        set("memcpy", [this, to, from, bytes, place] {
            touch(from, bytes, false, place);
            touch(to, bytes, true, place);
            std::memcpy(to, from, bytes);
        });
    }
    void memset(void *to, int value, std::size_t bytes, weiri::here place = {})
    {
        set("memset", [this, to, value, bytes, place] {
            touch(to, bytes, true, place);
            std::memset(to, value, bytes);
        });
    }
    template <class T>
    void fill(void *to, const T &value, std::size_t n, weiri::here place = {})
    {
        set("fill", [this, to, value, n, place] {
            touch(to, n * sizeof(T), true, place);
            std::fill_n(static_cast<T *>(to), n, value);
        });
    }
    template <class T>
    void copy(const T *from, T *to, std::size_t n, weiri::here place = {})
    {
        set("copy", [this, from, to, n, place] {
            touch(from, n * sizeof(T), false, place);
            touch(to, n * sizeof(T), true, place);
            std::copy(from, from + n, to);
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P, class U>
    void fill(const accessor<T, D, M, G, P> &to, const U &value)
    {
        set("fill", [=] {
            each(to, [&](auto &x, std::size_t) { x = static_cast<T>(value); });
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P, class U>
    void copy(const accessor<T, D, M, G, P> &from, U *to, weiri::here place = {})
    {
        set("copy", [this, from, to, place] {
            touch(to, from.size() * sizeof(U), true, place);
            each(from, [&](auto &x, std::size_t i) { to[i] = x; });
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P, class U>
    void copy(const accessor<T, D, M, G, P> &from, std::shared_ptr<U> to)
    {
        set("copy", [this, from, to] {
            touch(to.get(), from.size() * sizeof(U), true, at);
            each(from, [&](auto &x, std::size_t i) { to.get()[i] = x; });
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P, class U>
    void copy(const U *from, const accessor<T, D, M, G, P> &to, weiri::here place = {})
    {
        set("copy", [this, from, to, place] {
            touch(from, to.size() * sizeof(U), false, place);
            each(to, [&](auto &x, std::size_t i) { x = from[i]; });
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P, class U>
    void copy(std::shared_ptr<U> from, const accessor<T, D, M, G, P> &to)
    {
        set("copy", [this, from, to] {
            touch(from.get(), to.size() * sizeof(U), false, at);
            each(to, [&](auto &x, std::size_t i) { x = from.get()[i]; });
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P, class U,
              int E, access_mode N, target H, access::placeholder Q>
    void copy(const accessor<T, D, M, G, P> &from, const accessor<U, E, N, H, Q> &to)
    {
        set("copy", [=] {
            std::vector<std::remove_const_t<T>> held;
            each(from, [&](auto &x, std::size_t) { held.push_back(x); });
            each(to, [&](auto &x, std::size_t i) {
                if (i < held.size()) {
                    x = held[i];
                }
            });
        });
    }
    template <class T, int D, access_mode M, target G, access::placeholder P>
    void update_host(const accessor<T, D, M, G, P> &)
    {
        set("hint", [] {});
    }
    void prefetch(const void *, std::size_t)
    {
        set("hint", [] {});
    }
    void mem_advise(const void *, std::size_t, int)
    {
        set("hint", [] {});
    }
    void ext_oneapi_barrier(const std::vector<event> &earlier = {})
    {
        depends_on(earlier);
        start.barrier = true;
        start.kind = weiri::WEIRI_SYCL_COPY;
    }

  private:
    /* The elements of an accessor, in the order in which they lie. */
    template <class A, class F> static void each(const A &accessor, F f)
    {
        constexpr int D = A::dimensions;
        const auto range = accessor.get_range();
        id<D> index;
        for (std::size_t i = 0; i < range.size(); i++) {
            std::size_t left = i;
            for (int d = D - 1; d >= 0; d--) {
                index[d] = left % range.get(d);
                left /= range.get(d);
            }
            f(accessor[index], i);
        }
    }

    template <class Name, template <int> class Range, int D, class All,
              std::size_t... I>
    void with_reductions(Range<D> range, const All &all, std::index_sequence<I...>)
    {
        const auto f = std::get<sizeof...(I)>(all);
        const auto reductions = std::make_tuple(std::get<I>(all)...);
        set([this, range, f, reductions] {
            std::size_t global[D], local[D], groups = 1;
            if constexpr (std::is_same_v<Range<D>, sycl::nd_range<D>>) {
                for (int d = 0; d < D; d++) {
                    global[d] = range.get_global_range().get(d);
                    local[d] = std::max<std::size_t>(range.get_local_range().get(d), 1);
                }
            } else {
                weiri::choose_groups(range, global, local);
            }
            for (int d = 0; d < D; d++) {
                groups *= global[d] / local[d];
            }
            reduce<Range<D>>(
                groups, f,
                [&](const auto &function, const auto &parts) {
                    start_reducing<Name>(range, function, parts, global, local,
                                         reductions);
                },
                reductions, std::index_sequence<I...>());
        });
    }
    template <class Name, template <int> class Range, int D, class F, class Parts,
              class... R>
    void start_reducing(const Range<D> &range, const F &f, const Parts &parts,
                        const std::size_t *global, const std::size_t *local,
                        const std::tuple<R...> &)
    {
        using spans = std::integer_sequence<bool, R::is_span...>;
        using function = weiri::reducing<F, Parts, spans>;
        if constexpr (std::is_same_v<Range<D>, sycl::nd_range<D>>) {
            weiri::launch(weiri::nd_reducing_kernel<function, D>{ { f, parts },
                                                                  range.get_offset() },
                          locals, weiri::name_of<Name>(), D, global, local, at);
        } else {
            weiri::launch(
                weiri::range_reducing_kernel<function, D>{ { f, parts }, range },
                locals, weiri::name_of<Name>(), D, global, local, at);
        }
    }
};

} // namespace sycl

namespace weiri
{

inline uint64_t add_local(sycl::handler &handler, std::size_t count,
                          std::size_t element_bytes, const here &at)
{
    /* no address, as user space has none like it */
    const uint64_t key = UINT64_C(0xf00d5eed00000000) + handler.locals.size();
    handler.locals.push_back({ key, count, element_bytes,
                               weiri_sycl_local_site(at.file, at.line, at.function) });
    return key;
}

inline void add_use(sycl::handler &handler, const void *address, bool writes)
{
    handler.uses.push_back({ address, writes });
}

} // namespace weiri

#endif
