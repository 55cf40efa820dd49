/* SPDX-License-Identifier: MIT
 *
 * cub/weir-operators.hpp: operations, pairs and iterators of CUB. */
#ifndef WEIR_CUB_OPERATORS_HPP
#define WEIR_CUB_OPERATORS_HPP

#include <cstddef>
#include <iterator>
#include <limits>

#include <host_defines.h>

namespace cub
{

#define WEIRI_OPERATION(name, R_, ...)                                                 \
    struct name {                                                                      \
        template <class T_> WEIRI_BOTH R_ operator()(const T_ &a, const T_ &b) const   \
        {                                                                              \
            return __VA_ARGS__;                                                        \
        }                                                                              \
    };
WEIRI_OPERATION(Sum, T_, a + b)
WEIRI_OPERATION(Difference, T_, a - b)
WEIRI_OPERATION(Division, T_, a / b)
WEIRI_OPERATION(Min, T_, b < a ? b : a)
WEIRI_OPERATION(Max, T_, a < b ? b : a)
WEIRI_OPERATION(Equality, bool, a == b)
WEIRI_OPERATION(Inequality, bool, a != b)
#undef WEIRI_OPERATION

template <class K_, class V_> struct KeyValuePair {
    typedef K_ Key;
    typedef V_ Value;
    K_ key;
    V_ value;
    WEIRI_BOTH bool operator!=(const KeyValuePair &other) const
    {
        return key != other.key || value != other.value;
    }
};

/* For pairs of a place and a value: the lesser place of two equal values. */
#define WEIRI_ARG(name, op)                                                            \
    struct name {                                                                      \
        template <class K_, class V_>                                                  \
        WEIRI_BOTH KeyValuePair<K_, V_> operator()(                                    \
            const KeyValuePair<K_, V_> &a, const KeyValuePair<K_, V_> &b) const        \
        {                                                                              \
            return b.value op a.value || (a.value == b.value && b.key < a.key) ? b     \
                                                                               : a;    \
        }                                                                              \
    };
WEIRI_ARG(ArgMax, >)
WEIRI_ARG(ArgMin, <)
#undef WEIRI_ARG

/* ---- Iterators ------------------------------------------------------------- */

#define WEIRI_ITERATOR(Self, T_)                                                       \
    typedef Self self_type;                                                            \
    typedef T_ value_type;                                                             \
    typedef T_ reference;                                                              \
    typedef T_ *pointer;                                                               \
    typedef std::ptrdiff_t difference_type;                                            \
    typedef std::random_access_iterator_tag iterator_category;                         \
    WEIRI_BOTH Self &operator++()                                                      \
    {                                                                                  \
        return *this += 1;                                                             \
    }                                                                                  \
    WEIRI_BOTH Self operator++(int)                                                    \
    {                                                                                  \
        Self old = *this;                                                              \
        *this += 1;                                                                    \
        return old;                                                                    \
    }                                                                                  \
    WEIRI_BOTH Self operator+(std::ptrdiff_t n) const                                  \
    {                                                                                  \
        Self moved = *this;                                                            \
        return moved += n;                                                             \
    }                                                                                  \
    WEIRI_BOTH T_ operator[](std::ptrdiff_t n) const                                   \
    {                                                                                  \
        return *(*this + n);                                                           \
    }

template <class T_, class Offset = std::ptrdiff_t> struct CountingInputIterator {
    T_ at;
    WEIRI_BOTH explicit CountingInputIterator(T_ first) : at(first)
    {
    }
    WEIRI_BOTH T_ operator*() const
    {
        return at;
    }
    WEIRI_BOTH CountingInputIterator &operator+=(std::ptrdiff_t n)
    {
        at = (T_)(at + n);
        return *this;
    }
    WEIRI_ITERATOR(CountingInputIterator, T_)
};

template <class T_, class Offset = std::ptrdiff_t> struct ConstantInputIterator {
    T_ value;
    WEIRI_BOTH explicit ConstantInputIterator(T_ value_) : value(value_)
    {
    }
    WEIRI_BOTH T_ operator*() const
    {
        return value;
    }
    WEIRI_BOTH ConstantInputIterator &operator+=(std::ptrdiff_t)
    {
        return *this;
    }
    WEIRI_ITERATOR(ConstantInputIterator, T_)
};

template <class T_, class Function, class In, class Offset = std::ptrdiff_t>
struct TransformInputIterator {
    In in;
    Function function;
    WEIRI_BOTH TransformInputIterator(In in_, Function function_)
        : in(in_), function(function_)
    {
    }
    WEIRI_BOTH T_ operator*() const
    {
        return function(*in);
    }
    WEIRI_BOTH TransformInputIterator &operator+=(std::ptrdiff_t n)
    {
        in += n;
        return *this;
    }
    WEIRI_ITERATOR(TransformInputIterator, T_)
};
#undef WEIRI_ITERATOR

} // namespace cub

#endif
