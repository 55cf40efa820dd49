/* SPDX-License-Identifier: MIT
 *
 * words.c: the names that a program calls the runtime by. HIP's functions and constants
 * are those of CUDA with another word at their head, but for some. The headers map them
 * to CUDA's, and what the runtime says is put into HIP's here. */
#include "config.h"

#include "cuda/runtime.h"
#include "finding/names.h"

#include <string.h>

/* CUDA's names without "cuda", and HIP's without "hip", where the two differ. */
static const struct {
    const char *cuda, *hip;
} differ[] = {
    { "ErrorCudartUnloading", "ErrorDeinitialized" },
    { "ErrorDeviceAlreadyInUse", "ErrorContextAlreadyInUse" },
    { "ErrorDeviceUninitialized", "ErrorInvalidContext" },
    { "ErrorECCUncorrectable", "ErrorECCNotCorrectable" },
    { "ErrorInitializationError", "ErrorNotInitialized" },
    { "ErrorInvalidKernelImage", "ErrorInvalidImage" },
    { "ErrorInvalidPtx", "ErrorInvalidKernelFile" },
    { "ErrorInvalidResourceHandle", "ErrorInvalidHandle" },
    { "ErrorLaunchTimeout", "ErrorLaunchTimeOut" },
    { "ErrorMapBufferObjectFailed", "ErrorMapFailed" },
    { "ErrorMemoryAllocation", "ErrorOutOfMemory" },
    { "ErrorNoKernelImageForDevice", "ErrorNoBinaryForGpu" },
    { "ErrorSymbolNotFound", "ErrorNotFound" },
    { "ErrorUnmapBufferObjectFailed", "ErrorUnmapFailed" },
    { "FreeHost", "HostFree" },
    { "HostAlloc", "HostMalloc" },
    { "MallocHost", "HostMalloc" },
};

static bool is_hip;

void weiri_cuda_speak_hip(void)
{
    is_hip = true;
    weiri_names_speak_hip();
}

static bool is_word(char c)
{
    return g_ascii_isalnum(c) || c == '_';
}

/* Appends the name after "cuda" at @name, and returns its end. */
static const char *append_name(GString *text, const char *name)
{
    const char *end = name;
    while (is_word(*end)) {
        end++;
    }
    g_autofree char *word = g_strndup(name, (gsize)(end - name));
    const char *hip = word;
    for (size_t i = 0; i < G_N_ELEMENTS(differ); i++) {
        hip = strcmp(word, differ[i].cuda) == 0 ? differ[i].hip : hip;
    }
    g_string_append_printf(text, "hip%s", hip);
    return end;
}

const char *weiri_cuda_words(const char *text)
{
    if (!is_hip || text == NULL) {
        return text;
    }
    GString *own = g_string_new(NULL);
    const char *at = text;
    while (*at != '\0') {
        bool begins = at == text || !is_word(at[-1]);
        if (begins && g_str_has_prefix(at, "cuda") && g_ascii_isupper(at[4])) {
            at = append_name(own, at + strlen("cuda"));
        } else if (begins && g_str_has_prefix(at, "CUDA") && !is_word(at[4])) {
            g_string_append(own, "HIP");
            at += strlen("CUDA");
        } else {
            g_string_append_c(own, *at++);
        }
    }
    const char *words = g_intern_string(own->str);
    g_string_free(own, TRUE);
    return words;
}

/* ---- Commands -------------------------------------------------------------- */

static const struct weiri_command_words command_words = {
    .one_queue = "the two are not ordered",
    .two_queues = "the two are not ordered: they are in two streams, and no "
                  "cudaStreamWaitEvent() of an event between them, and no "
                  "synchronisation, orders them",
    .host = "the host does not wait for it: there is no cudaDeviceSynchronize(), "
            "cudaStreamSynchronize() or cudaEventSynchronize() between the two",
    .host_may_poll = true,
};

const struct weiri_command_words *weiri_cuda_command_words(void)
{
    static struct weiri_command_words own;
    static gsize made;
    if (g_once_init_enter(&made)) {
        own = command_words;
        own.two_queues = weiri_cuda_words(own.two_queues);
        own.host = weiri_cuda_words(own.host);
        g_once_init_leave(&made, 1);
    }
    return &own;
}
