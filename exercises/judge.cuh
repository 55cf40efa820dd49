// SPDX-License-Identifier: MIT
//
// judge.cuh: what the judges of exercises in CUDA share. An exercise's judge.cu includes
// this file and defines judged(), which makes the input of one size, launches the
// kernel of the answer that is judged, and states what memory has to be then:
//
//     static void judged(judge &judge)
//     {
//         int *in = judge.memory<int>(judge.n), *out = judge.memory<int>(judge.n);
//         for (int i = 0; i < judge.n; i++) {
//             in[i] = judge.random(1000);
//         }
//         twice<<<judge.blocks, judge.threads>>>(in, out, judge.n);
//         judge.wait();
//         for (int i = 0; i < judge.n; i++) {
//             judge.expect("out", i, out[i], 2 * in[i]);
//         }
//     }
//
// It is plain CUDA: the same two files are a program for nvcc. The program is run as
//
//     PROGRAM [answer|launch [SEED [THREADSxBLOCKS[/N]]...]]
//
// and calls judged() for each size: so many threads in a block, so many blocks, and N
// elements, by default one for each thread. `launch` prints nothing where the answer is
// right, and is for `weir check -- PROGRAM launch`. The status is 1 if memory differs
// from what is expected, and 2 if a launch was not possible. The seed decides the input.
#ifndef WEIR_EXERCISES_JUDGE_CUH
#define WEIR_EXERCISES_JUDGE_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct judge {
    int threads; // of a block
    int blocks;  // of a launch
    int n;       // elements
    uint64_t state;
    bool wrong;
    std::vector<void *> given;

    // Memory of the device that the host can use, too, until judged() returns. It is not
    // cleared.
    template <typename T> T *memory(int count)
    {
        void *memory = nullptr;
        demand(cudaMallocManaged(&memory, count * sizeof(T)));
        given.push_back(memory);
        return static_cast<T *>(memory);
    }

    // A number from 0 to below - 1.
    int random(int below)
    {
        // xorshift64*, by Vigna.
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return (int)((state * 2685821657736338717u >> 33) % (uint32_t)below);
    }

    // Waits for the launch.
    void wait()
    {
        demand(cudaGetLastError());
        demand(cudaDeviceSynchronize());
    }

    void expect(const char *name, int index, int value, int expected)
    {
        if (value != expected && !wrong) {
            fprintf(stderr, "%d blocks of %d threads, %d elements: ", blocks, threads,
                    n);
            fprintf(stderr, "%s[%d] is %d, expected %d\n", name, index, value,
                    expected);
        }
        wrong |= value != expected;
    }

    static void demand(cudaError_t error)
    {
        if (error != cudaSuccess) {
            fprintf(stderr, "%s\n", cudaGetErrorString(error));
            exit(2);
        }
    }
};

// Defined by the exercise: one size.
static void judged(judge &judge);

static bool judge_read_size(const char *text, judge &judge)
{
    char end;
    int read
        = sscanf(text, "%dx%d/%d%c", &judge.threads, &judge.blocks, &judge.n, &end);
    if (read == 2 && strchr(text, '/') == nullptr) {
        judge.n = judge.threads * judge.blocks;
        return true;
    }
    return read == 3;
}

int main(int argc, char **argv)
{
    static const char *const sizes[] = { "64x2", nullptr };
    const char *mode = argc > 1 ? argv[1] : "answer";
    if (strcmp(mode, "answer") != 0 && strcmp(mode, "launch") != 0) {
        fprintf(stderr, "usage: %s [answer|launch [SEED [THREADSxBLOCKS[/N]]...]]\n",
                argv[0]);
        return 2;
    }
    uint64_t seed = argc > 2 ? strtoull(argv[2], nullptr, 10) : 1;
    bool wrong = false;
    for (const char *const *size = argc > 3 ? argv + 3 : sizes; *size != nullptr;
         size++) {
        judge judge = {};
        judge.state = (seed + 1) * 0x9e3779b97f4a7c15u;
        if (!judge_read_size(*size, judge)) {
            fprintf(stderr, "a size is malformed: %s\n", *size);
            return 2;
        }
        judged(judge);
        wrong |= judge.wrong;
        for (void *memory : judge.given) {
            judge::demand(cudaFree(memory));
        }
    }
    if (!wrong && strcmp(mode, "answer") == 0) {
        printf("every answer is right\n");
    }
    return wrong;
}

#endif
