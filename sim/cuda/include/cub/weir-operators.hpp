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

#define WEIRI_OPERATION(name, R, ...)                                                  \
    struct name {                                                                      \
        template <class T> WEIRI_BOTH R operator()(const T &a, const T &b) const       \
        {                                                                              \
            return __VA_ARGS__;                                                        \
        }                                                                              \
    };
WEIRI_OPERATION(Sum, T, a + b)
WEIRI_OPERATION(Difference, T, a - b)
WEIRI_OPERATION(Division, T, a / b)
WEIRI_OPERATION(Min, T, b < a ? b : a)
WEIRI_OPERATION(Max, T, a < b ? b : a)
WEIRI_OPERATION(Equality, bool, a == b)
WEIRI_OPERATION(Inequality, bool, a != b)
#undef WEIRI_OPERATION

template <class K, class V> struct KeyValuePair {
    typedef K Key;
    typedef V Value;
    K key;
    V value;
    WEIRI_BOTH bool operator!=(const KeyValuePair &other) const
    {
        return key != other.key || value != other.value;
    }
};

/* For pairs of a place and a value: the lesser place of two equal values. */
#define WEIRI_ARG(name, op)                                                            \
    struct name {                                                                      \
        template <class K, class V>                                                    \
        WEIRI_BOTH KeyValuePair<K, V> operator()(const KeyValuePair<K, V> &a,          \
                                                 const KeyValuePair<K, V> &b) const    \
        {                                                                              \
            return b.value op a.value || (a.value == b.value && b.key < a.key) ? b     \
                                                                               : a;    \
        }                                                                              \
    };
WEIRI_ARG(ArgMax, >)
WEIRI_ARG(ArgMin, <)
#undef WEIRI_ARG

/* ---- Iterators ------------------------------------------------------------- */

#define WEIRI_ITERATOR(Self, T)                                                        \
    typedef Self self_type;                                                            \
    typedef T value_type;                                                              \
    typedef T reference;                                                               \
    typedef T *pointer;                                                                \
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
    WEIRI_BOTH T operator[](std::ptrdiff_t n) const                                    \
    {                                                                                  \
        return *(*this + n);                                                           \
    }

template <class T, class Offset = std::ptrdiff_t> struct CountingInputIterator {
    T at;
    WEIRI_BOTH explicit CountingInputIterator(T first) : at(first)
    {
    }
    WEIRI_BOTH T operator*() const
    {
        return at;
    }
    WEIRI_BOTH CountingInputIterator &operator+=(std::ptrdiff_t n)
    {
        at = (T)(at + n);
        return *this;
    }
    WEIRI_ITERATOR(CountingInputIterator, T)
};

template <class T, class Offset = std::ptrdiff_t> struct ConstantInputIterator {
    T value;
    WEIRI_BOTH explicit ConstantInputIterator(T value_) : value(value_)
    {
    }
    WEIRI_BOTH T operator*() const
    {
        return value;
    }
    WEIRI_BOTH ConstantInputIterator &operator+=(std::ptrdiff_t)
    {
        return *this;
    }
    WEIRI_ITERATOR(ConstantInputIterator, T)
};

template <class T, class Function, class In, class Offset = std::ptrdiff_t>
struct TransformInputIterator {
    In in;
    Function function;
    WEIRI_BOTH TransformInputIterator(In in_, Function function_)
        : in(in_), function(function_)
    {
    }
    WEIRI_BOTH T operator*() const
    {
        return function(*in);
    }
    WEIRI_BOTH TransformInputIterator &operator+=(std::ptrdiff_t n)
    {
        in += n;
        return *this;
    }
    WEIRI_ITERATOR(TransformInputIterator, T)
};
#undef WEIRI_ITERATOR

} // namespace cub

#endif
