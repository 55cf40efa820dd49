/* SPDX-License-Identifier: MIT
 *
 * handler.hpp: command groups: [SYCL20] 4.9.4. A handler collects the work of a
 * command, the events that it waits for and the buffers that it uses; then the queue
 * runs it. */
#ifndef WEIR_SYCL_HANDLER_HPP
#define WEIR_SYCL_HANDLER_HPP

#include "accessor.hpp"
#include "event.hpp"
#include "global.hpp"
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
    friend struct weiri::graph_access;
    friend uint64_t weiri::add_local(handler &, std::size_t, std::size_t,
                                     const weiri::here &);
    friend void weiri::add_use(handler &, const void *, bool);

    std::vector<weiri::local_request> locals;
    weiri::specializations values;
    bool has_bundle = false; /* which has these values */
    std::vector<event> after;
    std::vector<weiri::weiri_sycl_use> uses;
    std::function<void()> command;
    weiri::launch_choice choice;
    void (*run_graph)(queue &, handler &) = nullptr; /* of a command that is a graph */
    const void *graph = nullptr;                     /* the graph's commands */
    weiri::weiri_sycl_command start = {};            /* but for what the vectors hold */
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
    /* The command itself reads or writes memory. Returns: whether it may: where it is
     * checked, memory that is freed or too small is a finding. */
    bool touch(const void *memory, std::size_t bytes, bool writes,
               const weiri::here &place)
    {
        if (memory == nullptr && bytes > 0) {
            throw exception(
                errc::invalid,
                std::string(start.what != nullptr ? start.what : "reduction")
                    + ": a null pointer, and " + std::to_string(bytes) + " bytes");
        }
        return number == 0 || bytes == 0
            || weiri::weiri_sycl_touch(memory, bytes, writes, place.file, place.line,
                                       place.function);
    }
    bool touch_both(const void *to, const void *from, std::size_t bytes,
                    const weiri::here &place)
    {
        const bool may_read = touch(from, bytes, false, place);
        const bool may_write = touch(to, bytes, true, place);
        return may_read && may_write;
    }

    struct running {
        handler &h;
        explicit running(handler &handler) : h(handler)
        {
            std::vector<std::uint32_t> numbers;
            for (const event &earlier : h.after) {
                numbers.push_back(earlier.node != nullptr ? earlier.node->number
                                                          : earlier.number);
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

    /* Groups whose size the program does not state have no local memory. */
    template <class F_> void no_locals(const F_ &f) const
    {
        if (!weiri::find_locals(f, locals).empty()) {
            throw exception(errc::kernel_argument,
                            "a local_accessor is for kernels with an nd_range");
        }
    }
    /* An accessor in a kernel is one of its command group, or was required by it. */
    template <class F_> void check_buffers(const F_ &f) const
    {
        if (weiri::weiri_sycl_strays(&f, sizeof(F_), uses.data(), uses.size())) {
            throw exception(errc::kernel_argument,
                            "the kernel uses an accessor of another command group: "
                            "make it with the handler, or call require()");
        }
    }

    template <class Name, int D_, class F_>
    void run_nd(const nd_range<D_> &range, const F_ &f, const weiri::here &place)
    {
        std::size_t global[D_], local[D_];
        for (int d = 0; d < D_; d++) {
            global[d] = range.get_global_range().get(d);
            local[d] = range.get_local_range().get(d);
        }
        check_buffers(f);
        weiri::launch(f, locals, weiri::name_of<Name>(), D_, global, local, place,
                      choice);
    }
    template <class Name, int D_, class F_>
    void run_range(const range<D_> &range, const F_ &f, const weiri::here &place)
    {
        std::size_t global[D_], local[D_];
        weiri::choose_groups(range, global, local);
        no_locals(f);
        check_buffers(f);
        weiri::launch(f, locals, weiri::name_of<Name>(), D_, global, local, place,
                      choice);
    }

    /* Sums of groups, group after group, and then what the variable held. */
    template <class R_>
    void finish(const R_ &reduction,
                const std::vector<weiri::part_sum<typename R_::value_type>> &sums)
    {
        if (!touch(reduction.target, reduction.n * sizeof(*reduction.target), true,
                   at)) {
            return;
        }
        for (std::size_t k = 0; k < reduction.n; k++) {
            auto result = reduction.keeps
                ? std::optional<typename R_::value_type>(reduction.target[k])
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
    template <class Range, class Start, class F_, class... R_, std::size_t... I_>
    void reduce(std::size_t groups, const F_ &f, Start start,
                const std::tuple<R_...> &reductions, std::index_sequence<I_...>)
    {
        std::tuple<std::vector<weiri::part_sum<typename R_::value_type>>...> sums;
        const auto make
            = [groups](auto &of, std::size_t n) { of.resize(weiri::times(groups, n)); };
        try {
            (make(std::get<I_>(sums), std::get<I_>(reductions).n), ...);
        } catch (const std::exception &) {
            throw sycl::exception(sycl::errc::memory_allocation,
                                  "no memory for the sums of " + std::to_string(groups)
                                      + " groups");
        }
        auto parts = std::make_tuple(
            weiri::parts<typename R_::value_type, typename R_::op_type>{
                std::get<I_>(sums).data(), std::get<I_>(reductions).n,
                std::get<I_>(reductions).identity, std::get<I_>(reductions).op }...);
        start(f, parts);
        (finish(std::get<I_>(reductions), std::get<I_>(sums)), ...);
    }

  public:
    /* Runs a graph: graph.hpp. */
    template <class G_, class = decltype(std::declval<const G_ &>().weiri_nodes())>
    void ext_oneapi_graph(const G_ &executable)
    {
        set("graph", [] {});
        graph = &executable.weiri_nodes();
        run_graph = executable.weiri_run;
    }
    void depends_on(const event &earlier)
    {
        after.push_back(earlier);
    }
    void depends_on(const std::vector<event> &earlier)
    {
        after.insert(after.end(), earlier.begin(), earlier.end());
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_>
    void require(const accessor<T_, D_, M_, G_, P_> &accessor)
    {
        weiri::add_use(*this, accessor.weiri_address(), !weiri::reads_only(M_));
    }

    template <bundle_state State>
    void use_kernel_bundle(const kernel_bundle<State> &bundle)
    {
        static_assert(State == bundle_state::executable,
                      "a command group uses an executable bundle: call sycl::build()");
        values = *bundle.values;
        has_bundle = true;
    }
    template <auto &Id> void set_specialization_constant(weiri::special<Id> value)
    {
        if (has_bundle) {
            throw exception(errc::invalid,
                            "the command group uses a kernel bundle, which has the "
                            "values of constants: set them in an input bundle");
        }
        values.set(Id, value);
    }
    template <auto &Id> weiri::special<Id> get_specialization_constant() const
    {
        return weiri::special_of(values.all(), Id);
    }

    template <class Name = weiri::unnamed, class F_>
    void single_task(const F_ &f, weiri::here place = {})
    {
        weiri::may_be_kernel<F_>();
        set([this, f, place] {
            const auto g = weiri::with_handler<>(f, values);
            no_locals(g);
            run_nd<Name>(nd_range<1>(1, 1), weiri::task_kernel<decltype(g)>{ g },
                         place);
        });
    }

#define WEIRI_SYCL_RANGES(X_) X_(1) X_(2) X_(3)
#define WEIRI_SYCL_X(D_)                                                               \
    template <class Name = weiri::unnamed, class F_>                                   \
    void parallel_for(range<D_> range, const F_ &f, weiri::here place = {})            \
    {                                                                                  \
        parallel_for<Name>(range, id<D_>(), f, place);                                 \
    }                                                                                  \
    template <class Name = weiri::unnamed, class F_>                                   \
    void parallel_for(range<D_> range, id<D_> offset, const F_ &f,                     \
                      weiri::here place = {})                                          \
    {                                                                                  \
        weiri::may_be_kernel<F_>();                                                    \
        set([this, range, offset, f, place] {                                          \
            const auto g = weiri::with_handler<sycl::item<D_>>(f, values);             \
            run_range<Name>(range,                                                     \
                            weiri::range_kernel<decltype(g), D_>{ g, range, offset },  \
                            place);                                                    \
        });                                                                            \
    }
    WEIRI_SYCL_RANGES(WEIRI_SYCL_X)
#undef WEIRI_SYCL_X
#undef WEIRI_SYCL_RANGES
    template <class Name = weiri::unnamed, int D_, class F_>
    void parallel_for(nd_range<D_> range, const F_ &f, weiri::here place = {})
    {
        weiri::may_be_kernel<F_>();
        set([this, range, f, place] {
            const auto g = weiri::with_handler<nd_item<D_>>(f, values);
            run_nd<Name>(range,
                         weiri::nd_kernel<decltype(g), D_>{ g, range.get_offset() },
                         place);
        });
    }

    /* with properties of DPC++ */
    template <class Name = weiri::unnamed, class P_, class F_,
              class = weiri::enable_properties<P_>>
    void single_task(const P_ &chosen, const F_ &f, weiri::here place = {})
    {
        choose(chosen);
        single_task<Name>(f, place);
    }
    template <class Name = weiri::unnamed, template <int> class Range, int D_, class P_,
              class F_, class = weiri::enable_properties<P_>>
    void parallel_for(Range<D_> range, const P_ &chosen, const F_ &f,
                      weiri::here place = {})
    {
        choose(chosen);
        using x = weiri::launch_properties;
        if constexpr (P_::template has_property<x::work_group_size>()) {
            if constexpr (std::is_same_v<Range<D_>, sycl::nd_range<D_>>) {
                x::check_size(chosen.template get_property<x::work_group_size>(),
                              range.get_local_range());
            }
        }
        parallel_for<Name>(range, f, place);
    }

    /* with a kernel, which is the function's: SYCL 1.2.1 */
    template <class Name = weiri::unnamed, class F_>
    void single_task(const kernel &, const F_ &f, weiri::here place = {})
    {
        single_task<Name>(f, place);
    }
    template <class Name = weiri::unnamed, class Range, class F_>
    void parallel_for(const kernel &, Range range, const F_ &f, weiri::here place = {})
    {
        if constexpr (weiri::is_size<Range>) {
            parallel_for<Name>(sycl::range<1>(range), f, place);
        } else {
            parallel_for<Name>(range, f, place);
        }
    }

    /* with one reduction or more, followed by the function */
    template <class Name = weiri::unnamed, template <int> class Range, int D_,
              class First, class... Rest,
              class = std::enable_if_t<weiri::is_reduction<First>::value>>
    void parallel_for(Range<D_> range, First first, Rest... rest)
    {
        with_reductions<Name>(range, std::make_tuple(first, rest...),
                              std::make_index_sequence<sizeof...(Rest)>());
    }

    template <class Name = weiri::unnamed, int D_, class F_>
    void parallel_for_work_group(range<D_> groups, range<D_> size, const F_ &f,
                                 weiri::here place = {});
    template <class Name = weiri::unnamed, int D_, class F_>
    void parallel_for_work_group(range<D_> groups, const F_ &f, weiri::here place = {});

    template <class... X_> void set_arg(const X_ &...)
    {
        static_assert(sizeof...(X_) == SIZE_MAX,
                      "Weir's kernels have no arguments except their captures: only "
                      "kernels of other back ends have arguments");
    }
    template <class... X_> void set_args(const X_ &...)
    {
        static_assert(sizeof...(X_) == SIZE_MAX,
                      "Weir's kernels have no arguments except their captures: only "
                      "kernels of other back ends have arguments");
    }
    template <class F_> void ext_codeplay_enqueue_native_command(const F_ &)
    {
        static_assert(sizeof(F_) == SIZE_MAX,
                      "Weir is the only back end, and has no native commands");
    }
    template <class F_> void host_task(const F_ &f)
    {
        set("host_task", [f] {
            if constexpr (std::is_invocable_v<const F_ &>) {
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
            if (touch_both(to, from, bytes, place)) {
                std::memcpy(to, from, bytes);
            }
        });
    }
    void memset(void *to, int value, std::size_t bytes, weiri::here place = {})
    {
        set("memset", [this, to, value, bytes, place] {
            if (touch(to, bytes, true, place)) {
                std::memset(to, value, bytes);
            }
        });
    }
    template <class T_>
    void fill(void *to, const T_ &value, std::size_t n, weiri::here place = {})
    {
        set("fill", [this, to, value, n, place] {
            if (touch(to, weiri::times(n, sizeof(T_)), true, place)) {
                std::fill_n(static_cast<T_ *>(to), n, value);
            }
        });
    }
    template <class T_>
    void copy(const T_ *from, T_ *to, std::size_t n, weiri::here place = {})
    {
        set("copy", [this, from, to, n, place] {
            if (touch_both(to, from, weiri::times(n, sizeof(T_)), place)) {
                std::copy(from, from + n, to);
            }
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_>
    void fill(const accessor<T_, D_, M_, G_, P_> &to, const U_ &value)
    {
        set("fill", [=] {
            each(to, [&](auto &x, std::size_t) { x = static_cast<T_>(value); });
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_>
    void copy(const accessor<T_, D_, M_, G_, P_> &from, U_ *to, weiri::here place = {})
    {
        set("copy", [this, from, to, place] {
            if (touch(to, from.size() * sizeof(U_), true, place)) {
                each(from, [&](auto &x, std::size_t i) { to[i] = x; });
            }
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_>
    void copy(const accessor<T_, D_, M_, G_, P_> &from, std::shared_ptr<U_> to)
    {
        set("copy", [this, from, to] {
            if (touch(to.get(), from.size() * sizeof(U_), true, at)) {
                each(from, [&](auto &x, std::size_t i) { to.get()[i] = x; });
            }
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_>
    void copy(const U_ *from, const accessor<T_, D_, M_, G_, P_> &to,
              weiri::here place = {})
    {
        set("copy", [this, from, to, place] {
            if (touch(from, to.size() * sizeof(U_), false, place)) {
                each(to, [&](auto &x, std::size_t i) { x = from[i]; });
            }
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_>
    void copy(std::shared_ptr<U_> from, const accessor<T_, D_, M_, G_, P_> &to)
    {
        set("copy", [this, from, to] {
            if (touch(from.get(), to.size() * sizeof(U_), false, at)) {
                each(to, [&](auto &x, std::size_t i) { x = from.get()[i]; });
            }
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_,
              class U_, int E_, access_mode N_, target H_, access::placeholder Q_>
    void copy(const accessor<T_, D_, M_, G_, P_> &from,
              const accessor<U_, E_, N_, H_, Q_> &to)
    {
        if (to.size() < from.size()) {
            throw exception(errc::invalid,
                            "copy: the accessor that is written has "
                                + std::to_string(to.size()) + " elements, the other "
                                + std::to_string(from.size()));
        }
        set("copy", [=] {
            std::vector<std::remove_const_t<T_>> held;
            each(from, [&](auto &x, std::size_t) { held.push_back(x); });
            each(to, [&](auto &x, std::size_t i) {
                if (i < held.size()) {
                    x = held[i];
                }
            });
        });
    }
    template <class T_, int D_, access_mode M_, target G_, access::placeholder P_>
    void update_host(const accessor<T_, D_, M_, G_, P_> &)
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

    /* Rows of @bytes bytes each, which begin a pitch apart; an extension of DPC++. */
    template <int = 0>
    void ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from,
                             std::size_t from_pitch, std::size_t bytes,
                             std::size_t rows, weiri::here place = {})
    {
        rows_fit(std::min(to_pitch, from_pitch), bytes);
        set("memcpy2d", [=] {
            for (std::size_t row = 0; row < rows; row++) {
                void *to_row = static_cast<char *>(to) + row * to_pitch;
                const void *from_row
                    = static_cast<const char *>(from) + row * from_pitch;
                if (touch_both(to_row, from_row, bytes, place)) {
                    std::memcpy(to_row, from_row, bytes);
                }
            }
        });
    }
    template <class T_>
    void ext_oneapi_copy2d(const T_ *from, std::size_t from_pitch, T_ *to,
                           std::size_t to_pitch, std::size_t width, std::size_t rows,
                           weiri::here place = {})
    {
        ext_oneapi_memcpy2d(to, to_pitch * sizeof(T_), from, from_pitch * sizeof(T_),
                            width * sizeof(T_), rows, place);
    }
    template <int = 0>
    void ext_oneapi_memset2d(void *to, std::size_t pitch, int value, std::size_t bytes,
                             std::size_t rows, weiri::here place = {})
    {
        ext_oneapi_fill2d(to, pitch, static_cast<unsigned char>(value), bytes, rows,
                          place);
    }
    template <class T_>
    void ext_oneapi_fill2d(void *to, std::size_t pitch, const T_ &value,
                           std::size_t width, std::size_t rows, weiri::here place = {})
    {
        rows_fit(pitch, width);
        set("fill2d", [=] {
            for (std::size_t row = 0; row < rows; row++) {
                T_ *to_row = static_cast<T_ *>(to) + row * pitch;
                if (touch(to_row, width * sizeof(T_), true, place)) {
                    std::fill_n(to_row, width, value);
                }
            }
        });
    }

    /* Copies of a variable of the program, from a byte on, or from an element on. */
    template <class T_, class P_>
    void memcpy(const weiri::device_global<T_, P_> &to, const void *from,
                std::size_t bytes = sizeof(T_), std::size_t offset = 0,
                weiri::here place = {})
    {
        in_variable(sizeof(T_), bytes, offset);
        memcpy(static_cast<char *>(to.weiri_memory()) + offset, from, bytes, place);
    }
    template <class T_, class P_>
    void memcpy(void *to, const weiri::device_global<T_, P_> &from,
                std::size_t bytes = sizeof(T_), std::size_t offset = 0,
                weiri::here place = {})
    {
        in_variable(sizeof(T_), bytes, offset);
        memcpy(to, static_cast<const char *>(from.weiri_memory()) + offset, bytes,
               place);
    }
    template <class U_, class T_, class P_>
    void copy(const U_ *from, const weiri::device_global<T_, P_> &to,
              std::size_t count = sizeof(T_) / sizeof(U_), std::size_t first = 0,
              weiri::here place = {})
    {
        memcpy(to, from, count * sizeof(U_), first * sizeof(U_), place);
    }
    template <class U_, class T_, class P_>
    void copy(const weiri::device_global<T_, P_> &from, U_ *to,
              std::size_t count = sizeof(T_) / sizeof(U_), std::size_t first = 0,
              weiri::here place = {})
    {
        memcpy(to, from, count * sizeof(U_), first * sizeof(U_), place);
    }

  private:
    static void rows_fit(std::size_t pitch, std::size_t width)
    {
        if (width > pitch) {
            throw exception(errc::invalid,
                            "rows of " + std::to_string(width) + " overlap: they begin "
                                + std::to_string(pitch) + " apart");
        }
    }
    static void in_variable(std::size_t size, std::size_t bytes, std::size_t offset)
    {
        if (offset > size || bytes > size - offset) {
            throw exception(errc::invalid,
                            std::to_string(bytes) + " bytes from "
                                + std::to_string(offset) + " on: the device_global has "
                                + std::to_string(size));
        }
    }
    template <class P_> void choose(const P_ &chosen)
    {
        using x = weiri::launch_properties;
        if constexpr (P_::template has_property<x::sub_group_size>()) {
            choice.sub_group = static_cast<std::uint32_t>(
                chosen.template get_property<x::sub_group_size>().value);
        }
        if constexpr (P_::template has_property<x::scratch>()) {
            choice.scratch_bytes = chosen.template get_property<x::scratch>().value;
        }
    }
    /* The elements of an accessor, in the order in which they lie. */
    template <class A_, class F_> static void each(const A_ &accessor, F_ f)
    {
        const auto range = accessor.get_range();
        constexpr int D_ = decltype(accessor.get_range())::dimensions;
        id<D_> index;
        for (std::size_t i = 0; i < range.size(); i++) {
            std::size_t left = i;
            for (int d = D_ - 1; d >= 0; d--) {
                index[d] = left % range.get(d);
                left /= range.get(d);
            }
            f(accessor[index], i);
        }
    }

    template <class Name, template <int> class Range, int D_, class All,
              std::size_t... I_>
    void with_reductions(Range<D_> range, const All &all, std::index_sequence<I_...>)
    {
        const auto f = std::get<sizeof...(I_)>(all);
        const auto reductions = std::make_tuple(std::get<I_>(all)...);
        set([this, range, f, reductions] {
            std::size_t global[D_], local[D_], groups = 1;
            if constexpr (std::is_same_v<Range<D_>, sycl::nd_range<D_>>) {
                for (int d = 0; d < D_; d++) {
                    global[d] = range.get_global_range().get(d);
                    local[d] = std::max<std::size_t>(range.get_local_range().get(d), 1);
                }
            } else {
                weiri::choose_groups(range, global, local);
            }
            for (int d = 0; d < D_; d++) {
                groups *= global[d] / local[d];
            }
            reduce<Range<D_>>(
                groups, f,
                [&](const auto &function, const auto &parts) {
                    start_reducing<Name>(range, function, parts, global, local,
                                         reductions);
                },
                reductions, std::index_sequence<I_...>());
        });
    }
    template <class Name, template <int> class Range, int D_, class F_, class Parts,
              class... R_>
    void start_reducing(const Range<D_> &range, const F_ &f, const Parts &parts,
                        const std::size_t *global, const std::size_t *local,
                        const std::tuple<R_...> &)
    {
        using spans = std::integer_sequence<bool, R_::is_span...>;
        using function = weiri::reducing<F_, Parts, spans>;
        if constexpr (std::is_same_v<Range<D_>, sycl::nd_range<D_>>) {
            weiri::launch(weiri::nd_reducing_kernel<function, D_>{ { f, parts },
                                                                   range.get_offset() },
                          locals, weiri::name_of<Name>(), D_, global, local, at,
                          choice);
        } else {
            weiri::launch(
                weiri::range_reducing_kernel<function, D_>{ { f, parts }, range },
                locals, weiri::name_of<Name>(), D_, global, local, at, choice);
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
