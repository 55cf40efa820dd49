/* SPDX-License-Identifier: MIT
 *
 * bundle.hpp: kernels that a program asks for by name, and constants that a launch
 * gives them: [SYCL20] 4.9.5 and 4.11.
 *
 * The compiler has built all kernels, so a bundle is a name for all of them in every
 * state, and building one changes nothing. Its only contents are the values of
 * specialization constants. A kernel reads them from the command group's list. */
#ifndef WEIR_SYCL_BUNDLE_HPP
#define WEIR_SYCL_BUNDLE_HPP

#include "device.hpp"

#include <memory>

namespace sycl
{

template <class T_> class specialization_id
{
    T_ value;

  public:
    using value_type = T_;
    template <class... A_, class = std::enable_if_t<std::is_constructible_v<T_, A_...>>>
    explicit constexpr specialization_id(A_ &&...arguments)
        : value(std::forward<A_>(arguments)...)
    {
    }
    specialization_id(const specialization_id &) = delete;
    specialization_id &operator=(const specialization_id &) = delete;
    constexpr const T_ *weiri_default() const noexcept
    {
        return &value;
    }
};

} // namespace sycl

namespace weiri
{

/* The values that were set, by the address of the constant. */
struct special_value {
    const void *id;
    const void *value;
};
struct special_values {
    const special_value *of;
    std::size_t n;
};

class specializations
{
    std::vector<special_value> values;
    std::vector<std::shared_ptr<void>> held;

  public:
    template <class T_> void set(const sycl::specialization_id<T_> &id, const T_ &value)
    {
        held.push_back(std::make_shared<T_>(value));
        for (special_value &known : values) {
            if (known.id == &id) {
                known.value = held.back().get();
                return;
            }
        }
        values.push_back({ &id, held.back().get() });
    }
    special_values all() const
    {
        return { values.data(), values.size() };
    }
};

/* Out of sight of the hooks: the list is not memory of the kernel. */
template <class T_>
__attribute__((noinline)) WEIRI_UNINSTRUMENTED void find_special(special_values values,
                                                                 const void *id,
                                                                 const T_ *otherwise,
                                                                 void *to)
{
    const void *from = otherwise;
    for (std::size_t k = 0; k < values.n; k++) {
        if (values.of[k].id == id) {
            from = values.of[k].value;
        }
    }
    copy_unseen<T_>(to, from);
}

template <class T_>
WEIRI_SYCL_INLINE T_ special_of(special_values values,
                                const sycl::specialization_id<T_> &id)
{
    alignas(T_) unsigned char bytes[sizeof(T_)];
    find_special<T_>(values, &id, id.weiri_default(), bytes);
    return *reinterpret_cast<T_ *>(bytes);
}

template <auto &Id> using special = typename std::decay_t<decltype(Id)>::value_type;

} // namespace weiri

namespace sycl
{

class kernel_handler
{
    weiri::special_values values;

  public:
    explicit kernel_handler(weiri::special_values list) noexcept : values(list)
    {
    }
    template <auto &Id>
    WEIRI_SYCL_INLINE weiri::special<Id> get_specialization_constant() const
    {
        return weiri::special_of(values, Id);
    }
};

} // namespace sycl

namespace weiri
{

/* Turns a kernel that takes a kernel_handler after its item into one that does not. */
template <class F_> struct handled {
    F_ f;
    special_values values;
    template <class... Item>
    WEIRI_SYCL_INLINE auto operator()(Item &...item) const
        -> decltype(f(item..., sycl::kernel_handler(values)))
    {
        return f(item..., sycl::kernel_handler(values));
    }
};

template <class... Item, class F_>
auto with_handler(const F_ &f, const specializations &given)
{
    using takes_item = std::is_invocable<const F_ &, Item &...>;
    using takes_both = std::is_invocable<const F_ &, Item &..., sycl::kernel_handler>;
    if constexpr (takes_both::value && !takes_item::value) {
        return handled<F_>{ f, given.all() };
    } else {
        (void)given;
        return f;
    }
}

} // namespace weiri

namespace sycl
{

/* ---- Kernels by name ------------------------------------------------------------- */

enum class bundle_state { input, object, executable };

class kernel_id
{
    const void *key;
    const char *name;

  public:
    kernel_id(const void *key_, const char *name_) noexcept : key(key_), name(name_)
    {
    }
    const char *get_name() const noexcept
    {
        return name;
    }
    std::size_t weiri_hash() const noexcept
    {
        return std::hash<const void *>()(key);
    }
    friend bool operator==(const kernel_id &a, const kernel_id &b) noexcept
    {
        return a.key == b.key;
    }
    friend bool operator!=(const kernel_id &a, const kernel_id &b) noexcept
    {
        return a.key != b.key;
    }
};

} // namespace sycl

namespace weiri
{

/* The compiler has no list of a program's kernels: it is of those that were named. */
inline std::vector<sycl::kernel_id> &known_kernels()
{
    static std::vector<sycl::kernel_id> list;
    return list;
}

template <class Name> struct named_kernel {
    static inline const char key = 0;
    sycl::kernel_id id{ &key, __PRETTY_FUNCTION__ };
    named_kernel()
    {
        known_kernels().push_back(id);
    }
};

} // namespace weiri

namespace sycl
{

template <class Name> kernel_id get_kernel_id()
{
    static const weiri::named_kernel<Name> one;
    return one.id;
}
inline std::vector<kernel_id> get_kernel_ids()
{
    return weiri::known_kernels();
}

template <bundle_state State> class kernel_bundle;

class kernel
{
    kernel_id id;
    context in;

  public:
    kernel(const kernel_id &id_, const context &in_) : id(id_), in(in_)
    {
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    context get_context() const
    {
        return in;
    }
    template <int = 0>
    kernel_bundle<bundle_state::executable> get_kernel_bundle() const;
    std::size_t weiri_hash() const noexcept
    {
        return id.weiri_hash();
    }
    friend bool operator==(const kernel &a, const kernel &b) noexcept
    {
        return a.id == b.id;
    }
    friend bool operator!=(const kernel &a, const kernel &b) noexcept
    {
        return !(a == b);
    }

    template <class Q_> typename Q_::return_type get_info() const
    {
        if constexpr (std::is_same_v<Q_, info::kernel::num_args>) {
            return 1; /* the function object */
        } else if constexpr (std::is_same_v<Q_, info::kernel::function_name>) {
            return id.get_name();
        } else {
            return typename Q_::return_type();
        }
    }
    template <class Q_> typename Q_::return_type get_info(const device &) const
    {
        namespace of = info::kernel_device_specific;
        const auto most = weiri::number(weiri::WEIRI_SYCL_MAX_WORK_GROUP_SIZE);
        const auto width = weiri::number(weiri::WEIRI_SYCL_SUB_GROUP_SIZE);
        [[maybe_unused]] const auto as_answer
            = [](std::size_t n) { return static_cast<std::uint32_t>(n); };
        if constexpr (std::is_same_v<Q_, of::work_group_size>) {
            return most;
        } else if constexpr (std::is_same_v<Q_,
                                            of::preferred_work_group_size_multiple>) {
            return width;
        } else if constexpr (std::is_same_v<Q_, of::max_sub_group_size>) {
            return as_answer(width);
        } else if constexpr (std::is_same_v<Q_, of::max_num_sub_groups>) {
            return as_answer(most / width);
        } else if constexpr (std::is_same_v<Q_, of::compile_work_group_size>) {
            return { 0, 0, 0 };
        } else {
            return 0; /* no private memory; nothing is set when it is compiled */
        }
    }
    /* for groups of a size; of SYCL 2020's first revisions */
    template <class Q_, int D_>
    typename Q_::return_type get_info(const device &of, const range<D_> &) const
    {
        return get_info<Q_>(of);
    }
    template <class Q_, class... X_>
    typename Q_::return_type get_work_group_info(const device &of, const X_ &...) const
    {
        return get_info<Q_>(of);
    }
    /* of DPC++: how many groups run at once; any number may be launched */
    template <class Q_, class Queue, class... X_>
    typename Q_::return_type ext_oneapi_get_info(const Queue &, const X_ &...) const
    {
        namespace of = info::kernel_queue_specific;
        static_assert(
            std::is_same_v<
                Q_,
                of::max_num_work_groups> || std::is_same_v<Q_, of::max_work_group_size>,
            "Weir answers max_num_work_groups and max_work_group_size of a "
            "kernel on a queue");
        return weiri::number(std::is_same_v<Q_, of::max_num_work_groups>
                                 ? weiri::WEIRI_SYCL_COMPUTE_UNITS
                                 : weiri::WEIRI_SYCL_MAX_WORK_GROUP_SIZE);
    }
};

/* All kernels, or those that were asked for. */
template <bundle_state State> class device_image
{
    template <bundle_state> friend class device_image;
    template <bundle_state> friend class kernel_bundle;
    bool all = true;
    std::vector<kernel_id> of;

  public:
    device_image() = default;
    explicit device_image(std::vector<kernel_id> list) : all(false), of(std::move(list))
    {
    }
    template <bundle_state Other>
    explicit device_image(const device_image<Other> &other)
        : all(other.all), of(other.of)
    {
    }
    bool has_kernel(const kernel_id &id) const noexcept
    {
        return all || std::find(of.begin(), of.end(), id) != of.end();
    }
    bool has_kernel(const kernel_id &id, const device &) const noexcept
    {
        return has_kernel(id);
    }
};

template <bundle_state State> class kernel_bundle
{
    template <bundle_state> friend class kernel_bundle;
    friend class handler;
    /* copies of a bundle are that bundle */
    std::shared_ptr<weiri::specializations> values
        = std::make_shared<weiri::specializations>();
    std::vector<device_image<State>> images;
    context in;

  public:
    using device_image_iterator = const device_image<State> *;

    explicit kernel_bundle(const context &in_,
                           std::vector<device_image<State>> images_
                           = { device_image<State>() })
        : images(std::move(images_)), in(in_)
    {
    }
    template <bundle_state Other>
    explicit kernel_bundle(const kernel_bundle<Other> &other)
        : values(std::make_shared<weiri::specializations>(*other.values)),
          images(other.images.begin(), other.images.end()), in(other.in)
    {
    }
    device_image_iterator begin() const noexcept
    {
        return images.data();
    }
    device_image_iterator end() const noexcept
    {
        return images.data() + images.size();
    }
    std::size_t weiri_hash() const noexcept
    {
        return std::hash<const void *>()(values.get());
    }
    friend bool operator==(const kernel_bundle &a, const kernel_bundle &b) noexcept
    {
        return a.values == b.values;
    }
    friend bool operator!=(const kernel_bundle &a, const kernel_bundle &b) noexcept
    {
        return !(a == b);
    }
    /* of the program's kernels, those that have been named so far */
    std::vector<kernel_id> get_kernel_ids() const
    {
        std::vector<kernel_id> list;
        for (const kernel_id &id : weiri::known_kernels()) {
            if (has_kernel(id)) {
                list.push_back(id);
            }
        }
        return list;
    }
    bool empty() const noexcept
    {
        return images.empty();
    }
    backend get_backend() const noexcept
    {
        return backend::weir;
    }
    context get_context() const
    {
        return in;
    }
    std::vector<device> get_devices() const
    {
        return { device() };
    }
    bool has_kernel(const kernel_id &id) const noexcept
    {
        return std::any_of(begin(), end(),
                           [&](const auto &image) { return image.has_kernel(id); });
    }
    bool has_kernel(const kernel_id &id, const device &) const noexcept
    {
        return has_kernel(id);
    }
    template <class Name> bool has_kernel() const
    {
        return has_kernel(get_kernel_id<Name>());
    }
    template <class Name> bool has_kernel(const device &) const
    {
        return has_kernel<Name>();
    }
    kernel get_kernel(const kernel_id &id) const
    {
        static_assert(State == bundle_state::executable,
                      "only an executable bundle gives kernels: call sycl::build()");
        if (!has_kernel(id)) {
            throw exception(errc::invalid, "the bundle does not have this kernel");
        }
        return kernel(id, in);
    }
    template <class Name> kernel get_kernel() const
    {
        return get_kernel(get_kernel_id<Name>());
    }
    bool contains_specialization_constants() const noexcept
    {
        return true;
    }
    bool native_specialization_constant() const noexcept
    {
        return false;
    }
    template <auto &Id> bool has_specialization_constant() const noexcept
    {
        return true;
    }
    template <auto &Id> void set_specialization_constant(weiri::special<Id> value)
    {
        static_assert(State == bundle_state::input,
                      "a constant is set in an input bundle");
        values->set(Id, value);
    }
    template <auto &Id> weiri::special<Id> get_specialization_constant() const
    {
        return weiri::special_of(values->all(), Id);
    }
};

template <int> kernel_bundle<bundle_state::executable> kernel::get_kernel_bundle() const
{
    return kernel_bundle<bundle_state::executable>(in);
}

/* of a context, and of devices, kernels or a selector */
template <bundle_state State> kernel_bundle<State> get_kernel_bundle(const context &in)
{
    return kernel_bundle<State>(in);
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &)
{
    return kernel_bundle<State>(in);
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in,
                                       const std::vector<kernel_id> &kernels)
{
    return kernel_bundle<State>(in, { device_image<State>(kernels) });
}
template <bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &,
                                       const std::vector<kernel_id> &kernels)
{
    return get_kernel_bundle<State>(in, kernels);
}
/* with an image for each kernel that was named, if the selector takes it */
template <bundle_state State, class S_,
          class = std::enable_if_t<
              std::is_invocable_v<const S_ &, const device_image<State> &>>>
kernel_bundle<State> get_kernel_bundle(const context &in, const std::vector<device> &,
                                       const S_ &selector)
{
    std::vector<device_image<State>> taken;
    for (const kernel_id &id : weiri::known_kernels()) {
        const device_image<State> image(std::vector<kernel_id>{ id });
        if (selector(image)) {
            taken.push_back(image);
        }
    }
    return kernel_bundle<State>(in, std::move(taken));
}
template <bundle_state State, class S_,
          class = std::enable_if_t<
              std::is_invocable_v<const S_ &, const device_image<State> &>>>
kernel_bundle<State> get_kernel_bundle(const context &in, const S_ &selector)
{
    return get_kernel_bundle<State>(in, std::vector<device>(), selector);
}
template <class Name, bundle_state State>
kernel_bundle<State> get_kernel_bundle(const context &in,
                                       const std::vector<device> & = {})
{
    return get_kernel_bundle<State>(in, { get_kernel_id<Name>() });
}
template <bundle_state State> bool has_kernel_bundle(const context &)
{
    return true;
}
template <bundle_state State>
bool has_kernel_bundle(const context &, const std::vector<device> &)
{
    return true;
}
template <bundle_state State>
bool has_kernel_bundle(const context &, const std::vector<kernel_id> &)
{
    return true;
}
template <bundle_state State>
bool has_kernel_bundle(const context &, const std::vector<device> &,
                       const std::vector<kernel_id> &)
{
    return true;
}
template <class Name, bundle_state State>
bool has_kernel_bundle(const context &, const std::vector<device> & = {})
{
    return true;
}
inline bool is_compatible(const std::vector<kernel_id> &, const device &)
{
    return true;
}
template <class Name> bool is_compatible(const device &)
{
    return true;
}

#define WEIRI_SYCL_BUILD(name, from, to)                                               \
    template <int = 0>                                                                 \
    kernel_bundle<bundle_state::to> name(                                              \
        const kernel_bundle<bundle_state::from> &bundle,                               \
        const std::vector<device> & = {}, const property_list & = {})                  \
    {                                                                                  \
        return kernel_bundle<bundle_state::to>(bundle);                                \
    }
WEIRI_SYCL_BUILD(compile, input, object)
WEIRI_SYCL_BUILD(link, object, executable)
WEIRI_SYCL_BUILD(build, input, executable)
#undef WEIRI_SYCL_BUILD
template <int = 0>
kernel_bundle<bundle_state::executable> link(
    const std::vector<kernel_bundle<bundle_state::object>> &bundles,
    const std::vector<device> & = {}, const property_list & = {})
{
    if (bundles.empty()) {
        throw exception(errc::invalid, "link(): the list of bundles is empty");
    }
    return kernel_bundle<bundle_state::executable>(bundles[0]);
}
template <bundle_state State>
kernel_bundle<State> join(const std::vector<kernel_bundle<State>> &bundles)
{
    if (bundles.empty()) {
        return kernel_bundle<State>(context());
    }
    std::vector<device_image<State>> images;
    for (const kernel_bundle<State> &one : bundles) {
        if (one.get_context() != bundles[0].get_context()) {
            throw exception(errc::invalid,
                            "join(): the bundles have different contexts");
        }
        images.insert(images.end(), one.begin(), one.end());
    }
    return kernel_bundle<State>(bundles[0].get_context(), std::move(images));
}

} // namespace sycl

#endif
