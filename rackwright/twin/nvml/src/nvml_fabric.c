/* libnvidia-ml.so.1, the part that daemons decide: NVLink and its fabric, persistence mode. */
#include "nvml_device.h"
#include "twin_state.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, unsigned *mode)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    if (!result && !mode)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!result) {
        const char *kept = twin_gpu(index, "persistence");
        *mode = twin_daemon_runs(PERSISTENCED_PID, PERSISTENCED_NAME) && !(kept && *kept == '0');
    }
    return result;
}

/* The state letter of one link ('0' or '1'), or why there is none. */
static nvmlReturn_t link_of(nvmlDevice_t device, unsigned link, unsigned *index, char *up)
{
    nvmlReturn_t result = device_index(device, index);
    if (result)
        return result;
    const char *links = twin_gpu(*index, "nvlink.up");
    if (!links)
        return NVML_ERROR_NOT_SUPPORTED;
    if (link >= strlen(links))
        return NVML_ERROR_INVALID_ARGUMENT;
    *up = links[link];
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetNvLinkState(nvmlDevice_t device, unsigned link, unsigned *active)
{
    unsigned index;
    char up;
    nvmlReturn_t result = active ? link_of(device, link, &index, &up) : NVML_ERROR_INVALID_ARGUMENT;
    if (!result)
        *active = up == '1';
    return result;
}

nvmlReturn_t nvmlDeviceGetNvLinkVersion(nvmlDevice_t device, unsigned link, unsigned *version)
{
    unsigned index;
    char up;
    nvmlReturn_t result = version ? link_of(device, link, &index, &up) : NVML_ERROR_INVALID_ARGUMENT;
    if (result)
        return result;
    const char *value = twin_gpu(index, "nvlink.version");
    if (!value)
        return NVML_ERROR_NOT_SUPPORTED;
    *version = (unsigned)strtoul(value, NULL, 10);
    return NVML_SUCCESS;
}

/* Errors stand in the state as one number per link, in link order; counters without a key count none. */
nvmlReturn_t nvmlDeviceGetNvLinkErrorCounter(nvmlDevice_t device, unsigned link, unsigned counter, nvmlCount_t *out)
{
    unsigned index;
    char up;
    nvmlReturn_t result = out ? link_of(device, link, &index, &up) : NVML_ERROR_INVALID_ARGUMENT;
    if (result)
        return result;
    if (counter >= NVML_NVLINK_ERROR_COUNT)
        return NVML_ERROR_INVALID_ARGUMENT;
    *out = 0;
    static const char *const keys[NVML_NVLINK_ERROR_COUNT] = {"nvlink.replay", "nvlink.recovery", "nvlink.crc_flit"};
    const char *values = keys[counter] ? twin_gpu(index, keys[counter]) : NULL;
    for (unsigned i = 0; values && *values; i++) {
        char *end;
        nvmlCount_t value = strtoull(values, &end, 10);
        if (i == link)
            *out = value;
        values = *end == ',' ? end + 1 : NULL;
    }
    return NVML_SUCCESS;
}

/* What is at the other end: an accelerator (0) or an NVSwitch (2). */
nvmlReturn_t nvmlDeviceGetNvLinkRemoteDeviceType(nvmlDevice_t device, unsigned link, unsigned *type)
{
    unsigned index;
    char up;
    nvmlReturn_t result = type ? link_of(device, link, &index, &up) : NVML_ERROR_INVALID_ARGUMENT;
    if (result)
        return result;
    const char *direct = twin_gpu(index, "nvlink.direct");
    *type = direct && link < strlen(direct) && direct[link] == '1' ? 0 : 2;
    return NVML_SUCCESS;
}

/* The fabric comes up when the fabric manager runs, and only on devices that have NVLink. */
static nvmlReturn_t fabric_of(nvmlDevice_t device, unsigned char *state)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    if (result)
        return result;
    *state = NVML_GPU_FABRIC_STATE_NOT_STARTED;
    if (!twin_gpu(index, "nvlink.up"))
        *state = NVML_GPU_FABRIC_STATE_NOT_SUPPORTED;
    else if (twin_daemon_runs(FABRIC_MANAGER_PID, FABRIC_MANAGER_NAME)) {
        const char *joined = twin_gpu(index, "fabric.joined");
        if (!joined || *joined != '0')
            *state = NVML_GPU_FABRIC_STATE_COMPLETED;
    }
    return NVML_SUCCESS;
}

/* Domain and clique of a device, once it has joined them. */
static void domain_of(nvmlDevice_t device, unsigned char *uuid, unsigned *clique, unsigned *health)
{
    unsigned index, byte;
    if (device_index(device, &index))
        return;
    const char *text = twin_gpu(index, "fabric.uuid");
    for (unsigned i = 0; text && i < 16 && sscanf(text + 2 * i, "%2x", &byte) == 1; i++)
        uuid[i] = (unsigned char)byte;
    text = twin_gpu(index, "fabric.clique");
    *clique = text ? (unsigned)strtoul(text, NULL, 10) : 0;
    text = twin_gpu(index, "fabric.health");
    if (health)
        *health = text ? (unsigned)strtoul(text, NULL, 10) : 0;
}

nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    memset(out, 0, sizeof *out);
    domain_of(device, out->clusterUuid, &out->cliqueId, NULL);
    return fabric_of(device, &out->state);
}

nvmlReturn_t nvmlDeviceGetGpuFabricInfoV(nvmlDevice_t device, nvmlGpuFabricInfoV_t *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    unsigned version = out->version >> 24;
    /* Version 2 ends before healthSummary, but that byte stands inside its padding only in version 3. */
    size_t size = version == 2 ? offsetof(nvmlGpuFabricInfoV_t, healthSummary) : sizeof *out;
    if ((version != 2 && version != 3) || (out->version & 0xffffff) != size)
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    unsigned stamp = out->version;
    memset(out, 0, size);
    out->version = stamp;
    domain_of(device, out->clusterUuid, &out->cliqueId, &out->healthMask);
    return fabric_of(device, &out->state);
}
