/* libnvidia-ml.so.1, readings that are no plain key: spare rows, thresholds, clocks, programs on a device, field values. */
#include "nvml_device.h"
#include "twin_state.h"
#include "version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CLOCK_SM 1
#define THRESHOLD_SLOWDOWN 1

/* Field identifiers and value types of nvml.h. */
enum {
    FI_RETIRED_SBE = 29, FI_RETIRED_DBE = 30, FI_RETIRED_PENDING = 31, FI_MEMORY_TEMP = 82, FI_NVLINK_SPEED = 90,
    FI_NVLINK_GET_SPEED = 164, FI_RECOVERY_ACTION = 230,
};
enum { VALUE_UNSIGNED_INT = 1 };

typedef struct {
    unsigned max, high, partial, low, none;
} nvmlRowRemapperHistogramValues_t;

typedef struct {
    unsigned version;
    int marginTemperature;
} nvmlMarginTemperature_t;

typedef struct {
    unsigned pid;
    nvmlCount_t usedGpuMemory;
    unsigned gpuInstanceId, computeInstanceId;
} nvmlProcessInfo_t;

typedef struct {
    unsigned fieldId, scopeId;
    long long timestamp, latencyUsec;
    unsigned valueType;
    nvmlReturn_t nvmlReturn;
    union {
        double dVal;
        unsigned uiVal;
        nvmlCount_t ullVal;
    } value;
} nvmlFieldValue_t;

/* The `place`-th of the numbers with commas between them under `key`. */
static nvmlReturn_t nth(nvmlDevice_t device, const char *key, unsigned place, unsigned *out)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    if (result)
        return result;
    const char *values = twin_gpu(index, key);
    if (!values)
        return NVML_ERROR_NOT_SUPPORTED;
    for (unsigned i = 0; values && *values; i++) {
        char *end;
        unsigned value = (unsigned)strtoul(values, &end, 10);
        if (i == place) {
            *out = value;
            return NVML_SUCCESS;
        }
        values = *end == ',' ? end + 1 : NULL;
    }
    return NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetRowRemapperHistogram(nvmlDevice_t device, nvmlRowRemapperHistogramValues_t *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    unsigned *places[] = {&out->max, &out->high, &out->partial, &out->low, &out->none};
    nvmlReturn_t result = NVML_SUCCESS;
    for (unsigned i = 0; i < 5 && !result; i++)
        result = nth(device, "remapped.banks", i, places[i]);
    return result;
}

nvmlReturn_t nvmlDeviceGetMarginTemperature(nvmlDevice_t device, nvmlMarginTemperature_t *out)
{
    unsigned margin = 0;
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != NVML_STRUCT_VERSION(sizeof *out, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    nvmlReturn_t result = nth(device, "temperature.margin", 0, &margin);
    out->marginTemperature = (int)margin;
    return result;
}

nvmlReturn_t nvmlDeviceGetTemperatureThreshold(nvmlDevice_t device, unsigned kind, unsigned *out)
{
    unsigned now, margin;
    if (!out || kind != THRESHOLD_SLOWDOWN)
        return out ? NVML_ERROR_NOT_SUPPORTED : NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t result = nth(device, "temperature", 0, &now);
    result = result ? result : nth(device, "temperature.margin", 0, &margin);
    if (!result)
        *out = now + margin;
    return result;
}

nvmlReturn_t nvmlDeviceValidateInforom(nvmlDevice_t device)
{
    unsigned valid = 0;
    nvmlReturn_t result = nth(device, "inforom.valid", 0, &valid);
    return result ? result : valid ? NVML_SUCCESS : NVML_ERROR_CORRUPTED_INFOROM;
}

static nvmlReturn_t clock_of(nvmlDevice_t device, unsigned kind, const char *key, unsigned *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    return kind == CLOCK_SM ? nth(device, key, 0, out) : NVML_ERROR_NOT_SUPPORTED;
}

nvmlReturn_t nvmlDeviceGetMaxClockInfo(nvmlDevice_t device, unsigned kind, unsigned *out)
{
    return clock_of(device, kind, "clock.sm.max", out);
}

nvmlReturn_t nvmlDeviceGetApplicationsClock(nvmlDevice_t device, unsigned kind, unsigned *out)
{
    return clock_of(device, kind, "clock.sm.application", out);
}

nvmlReturn_t nvmlDeviceGetDefaultApplicationsClock(nvmlDevice_t device, unsigned kind, unsigned *out)
{
    return clock_of(device, kind, "clock.sm.max", out);
}

/* The release of the driver, unless a fault left another one on the device. */
nvmlReturn_t nvmlDeviceGetGspFirmwareVersion(nvmlDevice_t device, char *out)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    if (result)
        return result;
    const char *own = twin_gpu(index, "gsp_firmware");
    return give_text(own ? own : driver_version, out, 64);
}

nvmlReturn_t nvmlDeviceGetComputeRunningProcesses_v3(nvmlDevice_t device, unsigned *count, nvmlProcessInfo_t *out)
{
    unsigned found = 0, pid;
    if (!count)
        return NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t result = nth(device, "processes", 0, &pid);
    while (!result && !(result = nth(device, "processes", found, &pid))) {
        if (out && found < *count)
            out[found] = (nvmlProcessInfo_t){.pid = pid, .gpuInstanceId = ~0u, .computeInstanceId = ~0u};
        found++;
    }
    if (result != NVML_ERROR_INVALID_ARGUMENT)
        return result;
    result = !found || (out && found <= *count) ? NVML_SUCCESS : NVML_ERROR_INSUFFICIENT_SIZE;
    *count = found;
    return result;
}

static nvmlReturn_t field_of(nvmlDevice_t device, unsigned field, unsigned scope, unsigned *out)
{
    switch (field) {
    case FI_RETIRED_SBE: return nth(device, "retired.pages", 0, out);
    case FI_RETIRED_DBE: *out = 0; unsigned pages; return nth(device, "retired.pages", 0, &pages);
    case FI_RETIRED_PENDING: return nth(device, "retired.pending", 0, out);
    case FI_MEMORY_TEMP: return nth(device, "temperature.memory", 0, out);
    case FI_NVLINK_SPEED: return nth(device, "nvlink.mbps", 0, out);
    case FI_NVLINK_GET_SPEED: return nth(device, "nvlink.mbps", scope, out);
    case FI_RECOVERY_ACTION: return nth(device, "recovery_action", 0, out);
    default: return NVML_ERROR_NOT_SUPPORTED;
    }
}

nvmlReturn_t nvmlDeviceGetFieldValues(nvmlDevice_t device, int count, nvmlFieldValue_t *values)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    for (int i = 0; !result && i < count; i++) {
        values[i].valueType = VALUE_UNSIGNED_INT;
        values[i].value.uiVal = 0;
        values[i].nvmlReturn = field_of(device, values[i].fieldId, values[i].scopeId, &values[i].value.uiVal);
    }
    return result;
}
