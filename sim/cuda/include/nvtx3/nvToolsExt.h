/* SPDX-License-Identifier: MIT
 *
 * nvToolsExt.h: marks and ranges for profilers, which do nothing here. */
#ifndef WEIR_CUDA_NVTX_H
#define WEIR_CUDA_NVTX_H

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;

typedef enum nvtxColorType_t {
    NVTX_COLOR_UNKNOWN = 0,
    NVTX_COLOR_ARGB = 1,
} nvtxColorType_t;

typedef enum nvtxMessageType_t {
    NVTX_MESSAGE_UNKNOWN = 0,
    NVTX_MESSAGE_TYPE_ASCII = 1,
    NVTX_MESSAGE_TYPE_UNICODE = 2,
    NVTX_MESSAGE_TYPE_REGISTERED = 3,
} nvtxMessageType_t;

typedef enum nvtxPayloadType_t {
    NVTX_PAYLOAD_UNKNOWN = 0,
    NVTX_PAYLOAD_TYPE_UNSIGNED_INT64 = 1,
    NVTX_PAYLOAD_TYPE_INT64 = 2,
    NVTX_PAYLOAD_TYPE_DOUBLE = 3,
} nvtxPayloadType_t;

typedef union nvtxMessageValue_t {
    const char *ascii;
    const wchar_t *unicode;
    nvtxStringHandle_t registered;
} nvtxMessageValue_t;

typedef struct nvtxEventAttributes_v2 {
    uint16_t version, size;
    uint32_t category;
    int32_t colorType;
    uint32_t color;
    int32_t payloadType, reserved0;
    union payload_t {
        uint64_t ullValue;
        int64_t llValue;
        double dValue;
    } payload;
    int32_t messageType;
    nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))

#define WEIRI_NVTX(type, name, ...)                                                    \
    static inline __attribute__((unused)) type name(__VA_ARGS__)

WEIRI_NVTX(void, nvtxMarkA, const char *text)
{
    (void)text;
}
WEIRI_NVTX(void, nvtxMarkW, const wchar_t *text)
{
    (void)text;
}
WEIRI_NVTX(void, nvtxMarkEx, const nvtxEventAttributes_t *event)
{
    (void)event;
}
WEIRI_NVTX(int, nvtxRangePushA, const char *text)
{
    (void)text;
    return 0;
}
WEIRI_NVTX(int, nvtxRangePushW, const wchar_t *text)
{
    (void)text;
    return 0;
}
WEIRI_NVTX(int, nvtxRangePushEx, const nvtxEventAttributes_t *e)
{
    (void)e;
    return 0;
}
WEIRI_NVTX(int, nvtxRangePop, void)
{
    return 0;
}
WEIRI_NVTX(nvtxRangeId_t, nvtxRangeStartA, const char *text)
{
    (void)text;
    return 1;
}
WEIRI_NVTX(nvtxRangeId_t, nvtxRangeStartEx, const nvtxEventAttributes_t *event)
{
    (void)event;
    return 1;
}
WEIRI_NVTX(void, nvtxRangeEnd, nvtxRangeId_t id)
{
    (void)id;
}
WEIRI_NVTX(nvtxDomainHandle_t, nvtxDomainCreateA, const char *name)
{
    (void)name;
    return NULL;
}
WEIRI_NVTX(void, nvtxDomainDestroy, nvtxDomainHandle_t domain)
{
    (void)domain;
}
WEIRI_NVTX(int, nvtxDomainRangePushEx, nvtxDomainHandle_t domain,
           const nvtxEventAttributes_t *event)
{
    (void)domain;
    (void)event;
    return 0;
}
WEIRI_NVTX(int, nvtxDomainRangePop, nvtxDomainHandle_t domain)
{
    (void)domain;
    return 0;
}
WEIRI_NVTX(void, nvtxNameOsThreadA, uint32_t thread, const char *name)
{
    (void)thread;
    (void)name;
}

#define nvtxMark nvtxMarkA
#define nvtxRangePush nvtxRangePushA
#define nvtxRangeStart nvtxRangeStartA

#endif
