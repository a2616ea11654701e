/* libnvidia-ml.so.1, second half: the readings of one device, each straight from its key in the twin's state. */
#include "nvml_device.h"
#include "twin_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static nvmlReturn_t text_of(nvmlDevice_t device, const char *key, char *out, unsigned length)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    return result ? result : give_text(twin_gpu(index, key), out, length);
}

static nvmlReturn_t count_of(nvmlDevice_t device, const char *key, nvmlCount_t *out)
{
    unsigned index;
    nvmlReturn_t result = device_index(device, &index);
    if (result)
        return result;
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    const char *value = twin_gpu(index, key);
    if (!value)
        return NVML_ERROR_NOT_SUPPORTED;
    *out = strtoull(value, NULL, 10);
    return NVML_SUCCESS;
}

static nvmlReturn_t number_of(nvmlDevice_t device, const char *key, unsigned *out)
{
    nvmlCount_t wide = 0;
    nvmlReturn_t result = out ? count_of(device, key, &wide) : NVML_ERROR_INVALID_ARGUMENT;
    if (!result)
        *out = (unsigned)wide;
    return result;
}

#define TEXT(function, key) \
    nvmlReturn_t function(nvmlDevice_t device, char *out, unsigned length) { return text_of(device, key, out, length); }
#define NUMBER(function, key) \
    nvmlReturn_t function(nvmlDevice_t device, unsigned *out) { return number_of(device, key, out); }
#define COUNT(function, key) \
    nvmlReturn_t function(nvmlDevice_t device, nvmlCount_t *out) { return count_of(device, key, out); }

TEXT(nvmlDeviceGetName, "name")
TEXT(nvmlDeviceGetUUID, "uuid")
TEXT(nvmlDeviceGetSerial, "serial")
TEXT(nvmlDeviceGetVbiosVersion, "vbios")
NUMBER(nvmlDeviceGetMinorNumber, "minor")
NUMBER(nvmlDeviceGetComputeMode, "compute_mode")
NUMBER(nvmlDeviceGetCurrPcieLinkGeneration, "pcie.generation")
NUMBER(nvmlDeviceGetCurrPcieLinkWidth, "pcie.width")
NUMBER(nvmlDeviceGetMaxPcieLinkGeneration, "pcie.generation_max")
NUMBER(nvmlDeviceGetMaxPcieLinkWidth, "pcie.width_max")
NUMBER(nvmlDeviceGetPcieReplayCounter, "pcie.replays")
NUMBER(nvmlDeviceGetPerformanceState, "performance_state")
NUMBER(nvmlDeviceGetPowerManagementLimit, "power.limit")
NUMBER(nvmlDeviceGetEnforcedPowerLimit, "power.limit")
NUMBER(nvmlDeviceGetPowerUsage, "power.usage")
NUMBER(nvmlDeviceGetPowerManagementDefaultLimit, "power.default")
TEXT(nvmlDeviceGetBoardPartNumber, "part_number")
TEXT(nvmlDeviceGetInforomImageVersion, "inforom")
COUNT(nvmlDeviceGetCurrentClocksEventReasons, "clocks_event_reasons")
COUNT(nvmlDeviceGetCurrentClocksThrottleReasons, "clocks_event_reasons")

nvmlReturn_t nvmlDeviceGetIndex(nvmlDevice_t device, unsigned *out)
{
    return out ? device_index(device, out) : NVML_ERROR_INVALID_ARGUMENT;
}

nvmlReturn_t nvmlDeviceGetCudaComputeCapability(nvmlDevice_t device, int *major, int *minor)
{
    char capability[16];
    nvmlReturn_t result = text_of(device, "compute_capability", capability, sizeof capability);
    if (!result && sscanf(capability, "%d.%d", major, minor) != 2)
        return NVML_ERROR_UNKNOWN;
    return result;
}

nvmlReturn_t nvmlDeviceGetPciInfo_v3(nvmlDevice_t device, nvmlPciInfo_t *out)
{
    char id[32];
    nvmlReturn_t result = out ? text_of(device, "bus_id", id, sizeof id) : NVML_ERROR_INVALID_ARGUMENT;
    if (result)
        return result;
    memset(out, 0, sizeof *out);
    if (sscanf(id, "%x:%x:%x", &out->domain, &out->bus, &out->device) != 3)
        return NVML_ERROR_UNKNOWN;
    snprintf(out->busId, sizeof out->busId, "%08X:%02X:%02X.0", out->domain, out->bus, out->device);
    snprintf(out->busIdLegacy, sizeof out->busIdLegacy, "%04X:%02X:%02X.0", out->domain & 0xffff, out->bus & 0xff,
             out->device & 0xff);
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo(nvmlDevice_t device, nvmlMemory_t *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    nvmlReturn_t result = count_of(device, "memory.total", &out->total);
    result = result ? result : count_of(device, "memory.used", &out->used);
    out->free = out->total - out->used;
    return result;
}

nvmlReturn_t nvmlDeviceGetMemoryInfo_v2(nvmlDevice_t device, nvmlMemory_v2_t *out)
{
    if (!out)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != NVML_STRUCT_VERSION(sizeof *out, 2))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    nvmlMemory_t memory;
    nvmlReturn_t result = nvmlDeviceGetMemoryInfo(device, &memory);
    if (result)
        return result;
    out->total = memory.total;
    out->used = memory.used;
    out->free = memory.free;
    out->reserved = 0;
    return NVML_SUCCESS;
}

nvmlReturn_t nvmlDeviceGetEccMode(nvmlDevice_t device, unsigned *current, unsigned *pending)
{
    nvmlReturn_t result = number_of(device, "ecc.mode", current);
    return result ? result : number_of(device, "ecc.mode", pending);
}

/* `kind` 0 corrected, 1 uncorrected; `counter` 0 since boot, 1 of a lifetime. */
nvmlReturn_t nvmlDeviceGetTotalEccErrors(nvmlDevice_t device, unsigned kind, unsigned counter, nvmlCount_t *out)
{
    char key[32];
    if (kind > 1 || counter > 1)
        return NVML_ERROR_INVALID_ARGUMENT;
    snprintf(key, sizeof key, "ecc.%s.%s", kind ? "uncorrected" : "corrected", counter ? "aggregate" : "volatile");
    return count_of(device, key, out);
}

/* Location 2 is device memory, 7 is SRAM, whose errors stand for a lifetime alone; the other places count none. */
nvmlReturn_t nvmlDeviceGetMemoryErrorCounter(nvmlDevice_t device, unsigned kind, unsigned counter, unsigned location,
                                             nvmlCount_t *out)
{
    nvmlCount_t sram = 0;
    nvmlReturn_t result = nvmlDeviceGetTotalEccErrors(device, kind, counter, out);
    if (!result && counter)
        result = count_of(device, kind ? "ecc.uncorrected.sram" : "ecc.corrected.sram", &sram);
    if (!result)
        *out = location == 2 ? *out - (kind ? 0 : sram) : location == 7 ? sram : 0;
    return result;
}

nvmlReturn_t nvmlDeviceGetRemappedRows(nvmlDevice_t device, unsigned *corrected, unsigned *uncorrected, unsigned *pending,
                                       unsigned *failed)
{
    nvmlReturn_t result = number_of(device, "remapped.corrected", corrected);
    result = result ? result : number_of(device, "remapped.uncorrected", uncorrected);
    result = result ? result : number_of(device, "remapped.pending", pending);
    return result ? result : number_of(device, "remapped.failed", failed);
}

nvmlReturn_t nvmlDeviceGetTemperature(nvmlDevice_t device, unsigned sensor, unsigned *out)
{
    return sensor ? NVML_ERROR_INVALID_ARGUMENT : number_of(device, "temperature", out);
}

nvmlReturn_t nvmlDeviceGetTemperatureV(nvmlDevice_t device, nvmlTemperature_t *out)
{
    unsigned celsius = 0;
    if (!out || out->sensorType)
        return NVML_ERROR_INVALID_ARGUMENT;
    if (out->version != NVML_STRUCT_VERSION(sizeof *out, 1))
        return NVML_ERROR_ARGUMENT_VERSION_MISMATCH;
    nvmlReturn_t result = number_of(device, "temperature", &celsius);
    out->temperature = (int)celsius;
    return result;
}
