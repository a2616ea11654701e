/* libnvidia-ml.so.1, the part that daemons decide: NVLink and its fabric, persistence mode. */
#include "nvml_device.h"
#include "twin_state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

nvmlReturn_t nvmlDeviceGetPersistenceMode(nvmlDevice_t device, unsigned *mode)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    if (!result && !mode)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (!result)
        *mode = twin_daemon_runs(PERSISTENCED_PID, PERSISTENCED_NAME);
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

/* CRC errors stand in the state as one number per link, in link order; the other counters count none. */
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
    const char *values = counter == NVML_NVLINK_ERROR_DL_CRC_FLIT ? twin_gpu(index, "nvlink.crc_flit") : NULL;
    for (unsigned i = 0; values && *values; i++) {
        char *end;
        nvmlCount_t value = strtoull(values, &end, 10);
        if (i == link)
            *out = value;
        values = *end == ',' ? end + 1 : NULL;
    }
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
    else if (twin_daemon_runs(FABRIC_MANAGER_PID, FABRIC_MANAGER_NAME))
        *state = NVML_GPU_FABRIC_STATE_COMPLETED;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetGpuFabricInfo(nvmlDevice_t device, nvmlGpuFabricInfo_t *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    memset(out, 0, sizeof *out);
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
    return fabric_of(device, &out->state);
}
