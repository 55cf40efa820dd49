/* SPDX-License-Identifier: MIT
 *
 * hip/hip_vector_types.h: CUDA's vector types, with the operators that HIP has for
 * them. The operators are templates, so that those of a program come first. */
#ifndef WEIR_HIP_VECTOR_TYPES_H
#define WEIR_HIP_VECTOR_TYPES_H

#include <vector_functions.h>
#include <vector_types.h>

#if defined(__cplusplus) && __cplusplus >= 201103L

namespace weiri_hip
{

/* What a vector type is made of; the others have no member @n. */
template <class V_> struct vector {
};

#define X_(name, T_, bytes)                                                            \
    WEIRI_HIP_VECTOR(name##1, T_, 1)                                                   \
    WEIRI_HIP_VECTOR(name##2, T_, 2)                                                   \
    WEIRI_HIP_VECTOR(name##3, T_, 3)                                                   \
    WEIRI_HIP_VECTOR(name##4, T_, 4)
#define WEIRI_HIP_VECTOR(name, T_, count)                                              \
    template <> struct vector<name> {                                                  \
        enum { n = count };                                                            \
        typedef T_ element;                                                            \
        typedef name type;                                                             \
    };
WEIRI_VECTORS(X_)
#undef WEIRI_HIP_VECTOR
#undef X_

template <class V_> WEIRI_BOTH typename vector<V_>::element &at(V_ &v, int i)
{
    return ((typename vector<V_>::element *)(void *)&v)[i];
}
template <class V_> WEIRI_BOTH V_ all(typename vector<V_>::element value)
{
    V_ v;
    for (int i = 0; i < vector<V_>::n; i++) {
        at(v, i) = value;
    }
    return v;
}

} // namespace weiri_hip

/* A scalar stands for a vector of it. */
#define WEIRI_HIP_ELEMENT typename weiri_hip::vector<V_>::element
#define WEIRI_HIP_SAME typename weiri_hip::vector<V_>::type
#define WEIRI_HIP_OPERATOR(op, assign)                                                 \
    template <class V_> WEIRI_BOTH WEIRI_HIP_SAME &operator assign(V_ &a, const V_ &b) \
    {                                                                                  \
        for (int i = 0; i < weiri_hip::vector<V_>::n; i++) {                           \
            weiri_hip::at(a, i) assign weiri_hip::at(const_cast<V_ &>(b), i);          \
        }                                                                              \
        return a;                                                                      \
    }                                                                                  \
    template <class V_>                                                                \
    WEIRI_BOTH WEIRI_HIP_SAME &operator assign(V_ &a, WEIRI_HIP_ELEMENT b)             \
    {                                                                                  \
        return a assign weiri_hip::all<V_>(b);                                         \
    }                                                                                  \
    template <class V_>                                                                \
    WEIRI_BOTH WEIRI_HIP_SAME operator op(const V_ &a, const V_ &b)                    \
    {                                                                                  \
        V_ c = a;                                                                      \
        return c assign b;                                                             \
    }                                                                                  \
    template <class V_>                                                                \
    WEIRI_BOTH WEIRI_HIP_SAME operator op(const V_ &a, WEIRI_HIP_ELEMENT b)            \
    {                                                                                  \
        V_ c = a;                                                                      \
        return c assign weiri_hip::all<V_>(b);                                         \
    }                                                                                  \
    template <class V_>                                                                \
    WEIRI_BOTH WEIRI_HIP_SAME operator op(WEIRI_HIP_ELEMENT a, const V_ &b)            \
    {                                                                                  \
        V_ c = weiri_hip::all<V_>(a);                                                  \
        return c assign b;                                                             \
    }
WEIRI_HIP_OPERATOR(+, +=)
WEIRI_HIP_OPERATOR(-, -=)
WEIRI_HIP_OPERATOR(*, *=)
WEIRI_HIP_OPERATOR(/, /=)
#undef WEIRI_HIP_OPERATOR

template <class V_> WEIRI_BOTH WEIRI_HIP_SAME operator-(const V_ &a)
{
    V_ zero = weiri_hip::all<V_>(0);
    return zero -= a;
}

template <class V_, int n_ = weiri_hip::vector<V_>::n>
WEIRI_BOTH bool operator==(const V_ &a, const V_ &b)
{
    bool same = true;
    for (int i = 0; i < n_; i++) {
        same = same
            && weiri_hip::at(const_cast<V_ &>(a), i)
                == weiri_hip::at(const_cast<V_ &>(b), i);
    }
    return same;
}

template <class V_, int n_ = weiri_hip::vector<V_>::n>
WEIRI_BOTH bool operator!=(const V_ &a, const V_ &b)
{
    return !(a == b);
}
#undef WEIRI_HIP_ELEMENT
#undef WEIRI_HIP_SAME

#endif
#endif
