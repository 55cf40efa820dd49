/* SPDX-License-Identifier: MIT
 *
 * errors.c: errors of calls. Each thread has its last error. A kernel that fails breaks
 * the device: then every call returns that error, as in CUDA, until the process ends or
 * resets the device. */
#include "config.h"

#include "cuda/runtime.h"

static _Thread_local cudaError_t last;
static _Thread_local bool in_callback; /* a stream has called the host's code */
static int broken;                     /* cudaError_t; atomic: read by any thread */

/* The latest launch that was refused, until somebody looks at the error. */
static GMutex mutex; /* guards: */
static struct {
    const struct weir_site *site;
    char *message; /* owned; NULL: there is none */
} refused;

cudaError_t weiri_cuda_return(cudaError_t error)
{
    if (error != cudaSuccess && error != cudaErrorNotReady) {
        last = error;
    }
    return error;
}

cudaError_t weiri_cuda_misuse(const struct weiri_cuda_call *call, cudaError_t error,
                              const char *format, ...)
{
    if (weiri_host_commands_wanted()) {
        va_list values;
        va_start(values, format);
        g_autofree char *text = g_strdup_vprintf(format, values);
        va_end(values);
        g_autofree char *message = g_strdup_printf("%s(): %s", call->function, text);
        weiri_host_commands_error(weiri_cuda_words(call->function),
                                  weiri_cuda_words(message), weiri_cuda_site(call));
    }
    return weiri_cuda_return(error);
}

void weiri_cuda_break(cudaError_t error)
{
    int none = cudaSuccess;
    (void)__atomic_compare_exchange_n(&broken, &none, (int)error, false,
                                      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

void weiri_cuda_mend(void)
{
    __atomic_store_n(&broken, (int)cudaSuccess, __ATOMIC_RELAXED);
    last = cudaSuccess;
}

void weiri_cuda_set_callback(bool is)
{
    in_callback = is;
}

cudaError_t weiri_cuda_broken(void)
{
    return in_callback ? cudaErrorNotPermitted
                       : (cudaError_t)__atomic_load_n(&broken, __ATOMIC_RELAXED);
}

const struct weir_site *weiri_cuda_site(const struct weiri_cuda_call *call)
{
    return weiri_host_commands_site(call->pc);
}

/* ---- Launches that were refused -------------------------------------------- */

void weiri_cuda_refused(const struct weir_site *site, const char *message)
{
    weiri_cuda_judge_launch();
    g_mutex_lock(&mutex);
    refused.site = site;
    refused.message = g_strdup(message);
    g_mutex_unlock(&mutex);
}

static char *take_refused(const struct weir_site **site)
{
    g_mutex_lock(&mutex);
    char *message = g_steal_pointer(&refused.message);
    *site = refused.site;
    g_mutex_unlock(&mutex);
    return message;
}

void weiri_cuda_judge_launch(void)
{
    const struct weir_site *site;
    g_autofree char *text = take_refused(&site);
    if (text != NULL && weiri_host_commands_wanted()) {
        g_autofree char *message = g_strdup_printf(
            "%s; the kernel has not run, and no cudaGetLastError() has looked at the "
            "error",
            text);
        weiri_host_commands_error("<<<>>>", weiri_cuda_words(message), site);
    }
}

static void look(void)
{
    const struct weir_site *site;
    g_free(take_refused(&site));
}

/* ---- The last error -------------------------------------------------------- */

cudaError_t cudaGetLastError(void)
{
    cudaError_t error = (cudaError_t)__atomic_load_n(&broken, __ATOMIC_RELAXED);
    error = error != cudaSuccess ? error : last;
    last = cudaSuccess;
    look();
    return error;
}

cudaError_t cudaPeekAtLastError(void)
{
    cudaError_t error = (cudaError_t)__atomic_load_n(&broken, __ATOMIC_RELAXED);
    look();
    return error != cudaSuccess ? error : last;
}

/* ---- Names ----------------------------------------------------------------- */

static const struct {
    cudaError_t error;
    const char *name, *text;
} errors[] = {
#define X(name, number, text) { name, #name, text },
    WEIRI_CUDA_ERRORS(X)
#undef X
};

const char *cudaGetErrorName(cudaError_t error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++) {
        if (errors[i].error == error) {
            return weiri_cuda_words(errors[i].name);
        }
    }
    return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error)
{
    for (size_t i = 0; i < G_N_ELEMENTS(errors); i++) {
        if (errors[i].error == error) {
            return weiri_cuda_words(errors[i].text);
        }
    }
    return "unrecognized error code";
}
