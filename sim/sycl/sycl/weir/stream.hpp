/* SPDX-License-Identifier: MIT
 *
 * stream.hpp: the output of kernels: [SYCL20] 4.16. Each `<<` formats its value at once
 * and adds the text to the item's, and the texts appear when the command ends. */
#ifndef WEIR_SYCL_STREAM_HPP
#define WEIR_SYCL_STREAM_HPP

#include "queue.hpp"

#include <cstdio>

namespace sycl
{

enum class stream_manipulator {
    flush,
    dec,
    hex,
    oct,
    noshowbase,
    showbase,
    noshowpos,
    showpos,
    endl,
    fixed,
    scientific,
    hexfloat,
    defaultfloat,
};
inline constexpr auto flush = stream_manipulator::flush;
inline constexpr auto dec = stream_manipulator::dec;
inline constexpr auto hex = stream_manipulator::hex;
inline constexpr auto oct = stream_manipulator::oct;
inline constexpr auto noshowbase = stream_manipulator::noshowbase;
inline constexpr auto showbase = stream_manipulator::showbase;
inline constexpr auto noshowpos = stream_manipulator::noshowpos;
inline constexpr auto showpos = stream_manipulator::showpos;
inline constexpr auto endl = stream_manipulator::endl;
inline constexpr auto fixed = stream_manipulator::fixed;
inline constexpr auto scientific = stream_manipulator::scientific;
inline constexpr auto hexfloat = stream_manipulator::hexfloat;
inline constexpr auto defaultfloat = stream_manipulator::defaultfloat;

} // namespace sycl

namespace weiri
{
struct width {
    int n;
};
struct precision {
    int n;
};

/* Out of sight of the hooks: a stream is not memory of the kernel. */
struct stream_format {
    char base = 'd';
    char real = 'g';
    bool shows_base = false;
    bool shows_plus = false;
    int width = 0;
    int precision = 6;
};

__attribute__((noinline)) WEIRI_UNINSTRUMENTED inline void print_text(const char *text)
{
    weiri_sycl_print(text, std::strlen(text));
}

__attribute__((noinline)) WEIRI_UNINSTRUMENTED inline void print_integer(
    const stream_format &f, unsigned long long magnitude, bool negative,
    unsigned long long bits)
{
    char text[80], format[16];
    if (f.base == 'd') {
        std::snprintf(text, sizeof(text), "%s%llu",
                      negative           ? "-"
                          : f.shows_plus ? "+"
                                         : "",
                      magnitude);
    } else {
        std::snprintf(format, sizeof(format), "%%%sll%c", f.shows_base ? "#" : "",
                      f.base);
        std::snprintf(text, sizeof(text), format, bits);
    }
    char wide[96];
    std::snprintf(wide, sizeof(wide), "%*s", f.width > 90 ? 90 : f.width, text);
    print_text(wide);
}

__attribute__((noinline)) WEIRI_UNINSTRUMENTED inline void print_real(
    const stream_format &f, double value)
{
    char text[400], format[16];
    std::snprintf(format, sizeof(format), "%%%s*.*%c", f.shows_plus ? "+" : "", f.real);
    std::snprintf(text, sizeof(text), format, f.width, f.precision, value);
    print_text(text);
}
} // namespace weiri

namespace sycl
{

inline weiri::width setw(int n)
{
    return { n };
}
inline weiri::precision setprecision(int n)
{
    return { n };
}

class stream
{
    mutable weiri::stream_format format;
    std::size_t total, item_size;

  public:
    stream(std::size_t total_, std::size_t item, handler &, const property_list & = {})
        : total(total_), item_size(item)
    {
    }
    std::size_t size() const noexcept
    {
        return total;
    }
    std::size_t get_size() const noexcept
    {
        return total;
    }
    std::size_t get_work_item_buffer_size() const noexcept
    {
        return item_size;
    }
    std::size_t get_max_statement_size() const noexcept
    {
        return item_size;
    }

    template <class T_>
    friend const stream &operator<<(const stream &out, const T_ &value)
    {
        out.put(value);
        return out;
    }

  private:
    void put(stream_manipulator m) const
    {
        switch (m) {
        case stream_manipulator::endl:
            weiri::print_text("\n");
            break;
        case stream_manipulator::dec:
            format.base = 'd';
            break;
        case stream_manipulator::hex:
            format.base = 'x';
            break;
        case stream_manipulator::oct:
            format.base = 'o';
            break;
        case stream_manipulator::showbase:
            format.shows_base = true;
            break;
        case stream_manipulator::noshowbase:
            format.shows_base = false;
            break;
        case stream_manipulator::showpos:
            format.shows_plus = true;
            break;
        case stream_manipulator::noshowpos:
            format.shows_plus = false;
            break;
        case stream_manipulator::fixed:
            format.real = 'f';
            break;
        case stream_manipulator::scientific:
            format.real = 'e';
            break;
        case stream_manipulator::hexfloat:
            format.real = 'a';
            break;
        case stream_manipulator::defaultfloat:
            format.real = 'g';
            break;
        case stream_manipulator::flush:
            break;
        }
    }
    void put(weiri::width w) const
    {
        format.width = w.n;
    }
    void put(weiri::precision p) const
    {
        format.precision = p.n;
    }
    template <class T_> void put(const T_ &value) const
    {
        if constexpr (std::is_same_v<T_, bool>) {
            weiri::print_text(value ? "true" : "false");
        } else if constexpr (std::is_same_v<T_, char>) {
            const char text[2] = { value, '\0' };
            weiri::print_text(text);
        } else if constexpr (std::is_integral_v<T_>) {
            const bool negative = value < T_(0);
            const auto bits = static_cast<unsigned long long>(value);
            weiri::print_integer(format, negative ? 0ull - bits : bits, negative,
                                 static_cast<std::make_unsigned_t<T_>>(value));
            format.width = 0;
        } else if constexpr (std::is_floating_point_v<T_> || std::is_same_v<T_, half>) {
            weiri::print_real(format, static_cast<double>(value));
            format.width = 0;
        } else if constexpr (is_multi_ptr<T_>::value) {
            put(static_cast<const void *>(value.get()));
        } else if constexpr (std::is_convertible_v<T_, const char *>) {
            weiri::print_text(value);
        } else if constexpr (std::is_pointer_v<T_>) {
            weiri::stream_format as;
            as.base = 'x';
            as.shows_base = true;
            const auto bits = reinterpret_cast<std::uintptr_t>(value);
            weiri::print_integer(as, bits, false, bits);
        } else if constexpr (weiri::is_vec<T_>::value) {
            for (int k = 0; k < T_::size(); k++) {
                weiri::print_text(k > 0 ? ", " : "");
                put(value[k]);
            }
        } else if constexpr (is_numbers<T_>) {
            weiri::print_text("{");
            for (int d = 0; d < T_::dimensions; d++) {
                weiri::print_text(d > 0 ? ", " : "");
                put(value.get(d));
            }
            weiri::print_text("}");
        } else {
            static_assert(sizeof(T_) == 0, "a sycl::stream does not print this type");
        }
    }
    template <class T_> struct is_multi_ptr : std::false_type {
    };
    template <class T_, access::address_space S_, access::decorated D_>
    struct is_multi_ptr<multi_ptr<T_, S_, D_>> : std::true_type {
    };
    template <class T_> struct numbers_of : std::false_type {
    };
    template <int D_> struct numbers_of<id<D_>> : std::true_type {
    };
    template <int D_> struct numbers_of<range<D_>> : std::true_type {
    };
    template <class T_> static constexpr bool is_numbers = numbers_of<T_>::value;
};

} // namespace sycl

#endif
