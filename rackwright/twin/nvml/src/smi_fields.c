#include "smi_fields.h"

#include "nvml_client.h"

#include <stddef.h>
#include <stdio.h>

#define READ(name) static nvmlReturn_t name(nvmlDevice_t device, char *out, unsigned length)
#define TEXT(name, function) READ(name) { return client_text(function, device, out, length); }
#define NUMBER(name, function) \
    READ(name) \
    { \
        unsigned value; \
        nvmlReturn_t result = client_number(function, device, &value); \
        if (!result) \
            snprintf(out, length, "%u", value); \
        return result; \
    }
#define SWITCH(name, function) \
    READ(name) \
    { \
        unsigned value; \
        nvmlReturn_t result = client_number(function, device, &value); \
        if (!result) \
            snprintf(out, length, "%s", value ? "Enabled" : "Disabled"); \
        return result; \
    }
#define WATTS(name, function) \
    READ(name) \
    { \
        unsigned milliwatts; \
        nvmlReturn_t result = client_number(function, device, &milliwatts); \
        if (!result) \
            snprintf(out, length, "%u.%02u", milliwatts / 1000, milliwatts % 1000 / 10); \
        return result; \
    }
#define ECC(name, kind, counter) \
    READ(name) \
    { \
        nvmlCount_t count; \
        nvmlReturn_t (*call)(nvmlDevice_t, unsigned, unsigned, nvmlCount_t *) = client_function("nvmlDeviceGetTotalEccErrors"); \
        nvmlReturn_t result = call ? call(device, kind, counter, &count) : NVML_ERROR_FUNCTION_NOT_FOUND; \
        if (!result) \
            snprintf(out, length, "%llu", count); \
        return result; \
    }
#define REMAPPED(name, which, format) \
    READ(name) \
    { \
        unsigned rows[4]; \
        nvmlReturn_t (*call)(nvmlDevice_t, unsigned *, unsigned *, unsigned *, unsigned *) = \
            client_function("nvmlDeviceGetRemappedRows"); \
        nvmlReturn_t result = call ? call(device, rows, rows + 1, rows + 2, rows + 3) : NVML_ERROR_FUNCTION_NOT_FOUND; \
        if (!result) \
            format; \
        return result; \
    }
#define MEBIBYTES(name, part) \
    READ(name) \
    { \
        nvmlMemory_t memory; \
        nvmlReturn_t (*call)(nvmlDevice_t, nvmlMemory_t *) = client_function("nvmlDeviceGetMemoryInfo"); \
        nvmlReturn_t result = call ? call(device, &memory) : NVML_ERROR_FUNCTION_NOT_FOUND; \
        if (!result) \
            snprintf(out, length, "%llu", memory.part >> 20); \
        return result; \
    }

TEXT(name_of, "nvmlDeviceGetName")
TEXT(uuid, "nvmlDeviceGetUUID")
TEXT(serial, "nvmlDeviceGetSerial")
TEXT(vbios, "nvmlDeviceGetVbiosVersion")
NUMBER(index_of, "nvmlDeviceGetIndex")
NUMBER(minor_number, "nvmlDeviceGetMinorNumber")
NUMBER(pcie_generation, "nvmlDeviceGetCurrPcieLinkGeneration")
NUMBER(pcie_generation_max, "nvmlDeviceGetMaxPcieLinkGeneration")
NUMBER(pcie_width, "nvmlDeviceGetCurrPcieLinkWidth")
NUMBER(pcie_width_max, "nvmlDeviceGetMaxPcieLinkWidth")
NUMBER(pcie_replays, "nvmlDeviceGetPcieReplayCounter")
SWITCH(persistence, "nvmlDeviceGetPersistenceMode")
WATTS(power_limit, "nvmlDeviceGetPowerManagementLimit")
WATTS(power_enforced, "nvmlDeviceGetEnforcedPowerLimit")
WATTS(power_draw, "nvmlDeviceGetPowerUsage")
ECC(ecc_corrected_volatile, 0, 0)
ECC(ecc_uncorrected_volatile, 1, 0)
ECC(ecc_corrected_aggregate, 0, 1)
ECC(ecc_uncorrected_aggregate, 1, 1)
REMAPPED(remapped_corrected, 0, snprintf(out, length, "%u", rows[0]))
REMAPPED(remapped_uncorrected, 1, snprintf(out, length, "%u", rows[1]))
REMAPPED(remapped_pending, 2, snprintf(out, length, "%s", rows[2] ? "Yes" : "No"))
REMAPPED(remapped_failed, 3, snprintf(out, length, "%s", rows[3] ? "Yes" : "No"))
MEBIBYTES(memory_total, total)
MEBIBYTES(memory_used, used)
MEBIBYTES(memory_free, free)

READ(driver)
{
    (void)device;
    return client_system_text("nvmlSystemGetDriverVersion", out, length);
}

READ(count)
{
    (void)device;
    snprintf(out, length, "%u", client_count());
    return NVML_SUCCESS;
}

READ(bus_id)
{
    nvmlPciInfo_t info;
    nvmlReturn_t (*call)(nvmlDevice_t, nvmlPciInfo_t *) = client_function("nvmlDeviceGetPciInfo_v3");
    nvmlReturn_t result = call ? call(device, &info) : NVML_ERROR_FUNCTION_NOT_FOUND;
    if (!result)
        snprintf(out, length, "%s", info.busId);
    return result;
}

READ(temperature)
{
    unsigned celsius;
    nvmlReturn_t (*call)(nvmlDevice_t, unsigned, unsigned *) = client_function("nvmlDeviceGetTemperature");
    nvmlReturn_t result = call ? call(device, 0, &celsius) : NVML_ERROR_FUNCTION_NOT_FOUND;
    if (!result)
        snprintf(out, length, "%u", celsius);
    return result;
}

READ(compute_mode)
{
    static const char *const names[] = {"Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process"};
    unsigned mode;
    nvmlReturn_t result = client_number("nvmlDeviceGetComputeMode", device, &mode);
    if (!result && mode < 4)
        snprintf(out, length, "%s", names[mode]);
    return mode < 4 ? result : NVML_ERROR_UNKNOWN;
}

READ(compute_capability)
{
    int major, minor;
    nvmlReturn_t (*call)(nvmlDevice_t, int *, int *) = client_function("nvmlDeviceGetCudaComputeCapability");
    nvmlReturn_t result = call ? call(device, &major, &minor) : NVML_ERROR_FUNCTION_NOT_FOUND;
    if (!result)
        snprintf(out, length, "%d.%d", major, minor);
    return result;
}

READ(ecc_mode)
{
    unsigned current, pending;
    nvmlReturn_t (*call)(nvmlDevice_t, unsigned *, unsigned *) = client_function("nvmlDeviceGetEccMode");
    nvmlReturn_t result = call ? call(device, &current, &pending) : NVML_ERROR_FUNCTION_NOT_FOUND;
    if (!result)
        snprintf(out, length, "%s", current ? "Enabled" : "Disabled");
    return result;
}

READ(mig_mode)
{
    unsigned current, pending;
    nvmlReturn_t (*call)(nvmlDevice_t, unsigned *, unsigned *) = client_function("nvmlDeviceGetMigMode");
    nvmlReturn_t result = call ? call(device, &current, &pending) : NVML_ERROR_FUNCTION_NOT_FOUND;
    if (!result)
        snprintf(out, length, "%s", current ? "Enabled" : "Disabled");
    return result;
}

READ(event_reasons)
{
    nvmlCount_t reasons;
    nvmlReturn_t result = client_count_of("nvmlDeviceGetCurrentClocksEventReasons", device, &reasons);
    if (!result)
        snprintf(out, length, "0x%016llX", reasons);
    return result;
}

static nvmlReturn_t fabric(nvmlDevice_t device, nvmlGpuFabricInfo_t *info)
{
    nvmlReturn_t (*call)(nvmlDevice_t, nvmlGpuFabricInfo_t *) = client_function("nvmlDeviceGetGpuFabricInfo");
    nvmlReturn_t result = call ? call(device, info) : NVML_ERROR_FUNCTION_NOT_FOUND;
    return !result && info->state == NVML_GPU_FABRIC_STATE_NOT_SUPPORTED ? NVML_ERROR_NOT_SUPPORTED : result;
}

READ(fabric_state)
{
    static const char *const names[] = {"Not Supported", "Not Started", "In Progress", "Completed"};
    nvmlGpuFabricInfo_t info;
    nvmlReturn_t result = fabric(device, &info);
    if (!result)
        snprintf(out, length, "%s", names[info.state & 3]);
    return result;
}

READ(fabric_status)
{
    nvmlGpuFabricInfo_t info;
    nvmlReturn_t result = fabric(device, &info);
    if (!result)
        snprintf(out, length, "%s",
                 info.state == NVML_GPU_FABRIC_STATE_COMPLETED ? client_error(info.status) : "N/A");
    return result;
}

const struct field fields[] = {
    {"index", "", "Index", NULL, index_of},
    {"count", "", "Count", NULL, count},
    {"driver_version", "", "Driver Version", NULL, driver},
    {"name", NULL, "Product Name", NULL, name_of},
    {"persistence_mode", NULL, "Persistence Mode", NULL, persistence},
    {"serial", NULL, "Serial Number", NULL, serial},
    {"uuid", NULL, "GPU UUID", NULL, uuid},
    {"minor_number", NULL, "Minor Number", NULL, minor_number},
    {"vbios_version", NULL, "VBIOS Version", NULL, vbios},
    {"compute_cap", "", "Compute Capability", NULL, compute_capability},
    {"pci.bus_id", "PCI", "Bus Id", NULL, bus_id},
    {"pcie.replays", "PCI", "Replays Since Reset", NULL, pcie_replays},
    {"pcie.link.gen.max", "PCIe Generation", "Max", NULL, pcie_generation_max},
    {"pcie.link.gen.current", "PCIe Generation", "Current", NULL, pcie_generation},
    {"pcie.link.width.max", "Link Width", "Max", "x", pcie_width_max},
    {"pcie.link.width.current", "Link Width", "Current", "x", pcie_width},
    {"fabric.state", "Fabric", "State", NULL, fabric_state},
    {"fabric.status", "Fabric", "Status", NULL, fabric_status},
    {"memory.total", "FB Memory Usage", "Total", "MiB", memory_total},
    {"memory.used", "FB Memory Usage", "Used", "MiB", memory_used},
    {"memory.free", "FB Memory Usage", "Free", "MiB", memory_free},
    {"compute_mode", NULL, "Compute Mode", NULL, compute_mode},
    {"clocks_event_reasons.active", "", "Clocks Event Reasons", NULL, event_reasons},
    {"mig.mode.current", "MIG Mode", "Current", NULL, mig_mode},
    {"ecc.mode.current", "ECC Mode", "Current", NULL, ecc_mode},
    {"ecc.errors.corrected.volatile.total", "ECC Errors Volatile", "Correctable", NULL, ecc_corrected_volatile},
    {"ecc.errors.uncorrected.volatile.total", "ECC Errors Volatile", "Uncorrectable", NULL, ecc_uncorrected_volatile},
    {"ecc.errors.corrected.aggregate.total", "ECC Errors Aggregate", "Correctable", NULL, ecc_corrected_aggregate},
    {"ecc.errors.uncorrected.aggregate.total", "ECC Errors Aggregate", "Uncorrectable", NULL, ecc_uncorrected_aggregate},
    {"remapped_rows.correctable", "Remapped Rows", "Correctable Error", NULL, remapped_corrected},
    {"remapped_rows.uncorrectable", "Remapped Rows", "Uncorrectable Error", NULL, remapped_uncorrected},
    {"remapped_rows.pending", "Remapped Rows", "Pending", NULL, remapped_pending},
    {"remapped_rows.failure", "Remapped Rows", "Remapping Failure Occurred", NULL, remapped_failed},
    {"temperature.gpu", "Temperature", "GPU Current Temp", "C", temperature},
    {"power.draw", "GPU Power Readings", "Instantaneous Power Draw", "W", power_draw},
    {"power.limit", "GPU Power Readings", "Requested Power Limit", "W", power_limit},
    {"enforced.power.limit", "GPU Power Readings", "Current Power Limit", "W", power_enforced},
    {NULL, NULL, NULL, NULL, NULL},
};
