// SPDX-License-Identifier: MIT
//
// private.cl: private variables that are read before they are written, and their right
// neighbours. The buffer `in` has 0, 1, 2 …

// array 8 4 finds: uninitialized-read read of square[3] of 4 elements
kernel void array(global int *in, global int *out)
{
    int square[4];
    for (int i = 0; i < 3; i++)
        square[i] = i * i;
    out[get_global_id(0)] = square[in[3]];
}

// array_right 8 4 runs: 9 9 9 9 9 9 9 9
kernel void array_right(global int *in, global int *out)
{
    int square[4];
    for (int i = 0; i < 4; i++)
        square[i] = i * i;
    out[get_global_id(0)] = square[in[3]];
}

// A scalar that only some items assign.
// branch 8 4 finds: uninitialized-read read of x[0] of 1 element
kernel void branch(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    int x;
    if (in[g] < 4)
        x = in[g] + 10;
    out[g] = x;
}

// branch_right 8 4 runs: 10 11 12 13 0 0 0 0
kernel void branch_right(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    int x;
    if (in[g] < 4)
        x = in[g] + 10;
    if (g < 4)
        out[g] = x;
}

// Where a variable is assigned on every path, in a loop and in a switch.
// paths 4 4 runs: 103 203 303 303
kernel void paths(global int *in, global int *out)
{
    size_t g = get_global_id(0);
    int x, last;
    switch (in[g]) {
    case 0: x = 100; break;
    case 1: x = 200; break;
    default: x = 300;
    }
    for (int i = 0; i <= in[3]; i++)
        last = i;
    out[g] = x + last;
}

// What decides a comparison, and what decides an address.
// decides 4 4 finds: uninitialized-read its value decides
kernel void decides(global int *in, global int *out)
{
    int x;
    if (in[0] > 0)
        x = 1;
    if (x > 3)
        out[get_global_id(0)] = 1;
}

// index 4 4 finds: uninitialized-read read of at[2] of 3 elements
kernel void index(global int *in, global int *out)
{
    int at[3];
    at[0] = at[1] = 1;
    out[get_global_id(0)] = in[at[in[2]] & 7];
}

// A copy that nothing comes of.
// copied 4 4 runs: 5 5 5 5
kernel void copied(global int *in, global int *out)
{
    int x[2], y[2];
    x[0] = 5;
    for (int i = 0; i < 2; i++)
        y[i] = x[i];
    out[get_global_id(0)] = y[in[0]];
}

// copied_wrong 4 4 finds: uninitialized-read read of x[1] of 2 elements
kernel void copied_wrong(global int *in, global int *out)
{
    int x[2], y[2];
    x[0] = 5;
    for (int i = 0; i < 2; i++)
        y[i] = x[i];
    out[get_global_id(0)] = y[in[1]];
}

// A variable of a loop's body begins in each round; one before the loop does not.
// rounds 4 4 finds: uninitialized-read read of t[1] of 2 elements
kernel void rounds(global int *in, global int *out)
{
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int t[2];
        if (in[i] == 0)
            t[1] = 7;
        sum += t[in[1]];
    }
    out[get_global_id(0)] = sum;
}

// rounds_right 4 4 runs: 21 21 21 21
kernel void rounds_right(global int *in, global int *out)
{
    int sum = 0;
    int t[2];
    for (int i = 0; i < 3; i++) {
        if (in[i] == 0)
            t[1] = 7;
        sum += t[in[1]];
    }
    out[get_global_id(0)] = sum;
}

int part(int n, int which)
{
    int a[4];
    for (int i = 0; i < n; i++)
        a[i] = i + 1;
    return a[which];
}

// A second call finds on its stack what the first one left there.
// calls 4 4 finds: uninitialized-read read of a[3] of 4 elements
kernel void calls(global int *in, global int *out)
{
    out[get_global_id(0)] = part(in[4], in[3]) * 10 + part(in[3], in[3]);
}

// calls_right 4 4 runs: 43 43 43 43
kernel void calls_right(global int *in, global int *out)
{
    out[get_global_id(0)] = part(in[4], in[3]) * 10 + part(in[3], in[2]);
}

void fill(int *to, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = i;
}

int sum_of(const int *from, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += from[i];
    return sum;
}

// By pointers, and over a barrier.
// pointers 8 4 runs: 3 3 3 3 3 3 3 3
kernel void pointers(global int *in, global int *out)
{
    int a[4], n;
    fill(&n, 1);
    fill(a, in[3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum_of(a, in[3]) + n;
}

// pointers_wrong 8 4 finds: uninitialized-read sum += from[i]
kernel void pointers_wrong(global int *in, global int *out)
{
    int a[4];
    fill(a, in[3]);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum_of(a, in[4]);
}

// Elements of vectors, assigned one by one, in groups, and from others.
// private_vectors 1 1 runs: 1 3 2 2 5 1 2 2 2 3 1 7 8 9
kernel void private_vectors(global int *in, global int *out)
{
    int4 a, b, k = (int4)(in[1], in[2], in[3], in[4]);
    int3 c;
    int2 d[2];
    a.x = in[1];
    a.zw = (int2)(in[1], 2);
    a.y = 3;
    a[in[2]] = 2;
    b.wzyx = k;
    b.odd = k.xy;
    b.s0 += 1;
    c.xy = k.yz;
    c.z = 1;
    d[0].x = 7;
    d[0].y = 8;
    d[1].x = 9;
    vstore4(a, 0, out);
    vstore4(b, 1, out);
    vstore3(c, 0, out + 8);
    vstore2(d[0], 0, out + 11);
    out[13] = d[1].x;
}

// vectors_wrong 1 1 finds: uninitialized-read read of a[1] of 4 elements
kernel void vectors_wrong(global int4 *in, global int4 *out)
{
    int4 a;
    a.x = 1;
    a.zw = in[0].xy;
    out[0] = a;
}

// A vector of 3 elements has room for 4.
// private_three 1 1 runs: 1 2 3
kernel void private_three(global int *in, global int3 *out)
{
    int3 a, b[2];
    a.xyz = (int3)(1, 2, 3);
    b[in[1]] = a;
    out[0] = b[1];
}

// Functions that return by pointers.
// results 1 1 runs: 1 3 25 2 1
kernel void results(global int *in, global int *out)
{
    float cosine, whole, part;
    int power, quotient;
    float sine = sincos((float)in[0], &cosine);
    float four[4];
    out[0] = (int)(sine + cosine);
    (void)frexp((float)in[4], &power);
    out[1] = power;
    part = fract(3.25f, &whole);
    vstore4((float4)(part), 0, four);
    out[2] = (int)(100 * four[in[3]]);
    part = modf(2.5f, &whole);
    out[3] = (int)whole;
    (void)remquo(3.0f, 2.5f, &quotient);
    out[4] = quotient;
}

typedef struct {
    char letter;
    int number;
    double more;
} record;

// Padding is copied, and that is not a mistake; nor is a member that no one reads.
// records 1 1 runs: 7 1
kernel void records(global int *in, global int *out)
{
    record a, b;
    a.letter = 1;
    a.number = 7;
    b = a;
    out[0] = b.number;
    out[1] = b.letter;
}

// records_wrong 1 1 finds: uninitialized-read read of a[0] of 1 element
kernel void records_wrong(global int *in, global int *out)
{
    record a, b;
    a.letter = 1;
    a.more = 2;
    b = a;
    out[0] = b.number;
}

// Lists that leave out elements, and texts.
// lists 1 1 runs: 1 0 0 99 0
kernel void lists(global int *in, global int *out)
{
    int numbers[8] = { 1 };
    char text[6] = "abc";
    record one = { .number = 4 };
    out[0] = numbers[in[0]];
    out[1] = numbers[in[7]];
    out[2] = text[in[5]];
    out[3] = text[in[2]];
    out[4] = (int)one.more;
}

// text_wrong 1 1 finds: uninitialized-read read of text[2] of 6 elements
kernel void text_wrong(global int *in, global int *out)
{
    char text[6];
    text[0] = text[1] = 'a';
    out[0] = text[in[2]];
}

// The last member of a structure, which some compilers take for one of any size.
struct last {
    int n;
    int member[2];
};

// last_member 4 4 finds: out-of-bounds index 2 of an array
kernel void last_member(global int *in, global int *out)
{
    struct last last = { 2, { 5, 6 } };
    out[get_global_id(0)] = last.member[in[2]];
}

// last_member_right 4 4 runs: 6 6 6 6
kernel void last_member_right(global int *in, global int *out)
{
    struct last last = { 2, { 5, 6 } };
    out[get_global_id(0)] = last.member[in[1]];
}

// One element stands for any number.
struct open {
    int n;
    int member[1];
};

// open_right 4 4 runs: 1 2 3 4
kernel void open_right(global int *in, global int *out)
{
    global struct open *open = (global struct open *)in;
    out[get_global_id(0)] = open->member[get_global_id(0)];
}
