#include "smi_fields.h"

#include "nvml_client.h"

#include <stddef.h>
#include <stdio.h>

#define READ(name) static nvmlReturn_t name(nvmlDevice_t device, char *out, unsigned length)
#define TEXT(name, function) READ(name) { return client_text(function, device, out, length); }
#define PRINTED(name, variables, called, ...) \
    READ(name) \
    { \
        variables; \
        nvmlReturn_t result = called; \
        if (!result) \
            snprintf(out, length, __VA_ARGS__); \
        return result; \
    }
#define CALLED(name, variables, function, types, arguments, ...) \
    PRINTED(name, variables; nvmlReturn_t(*call) types = client_function(function), \
            call ? call arguments : NVML_ERROR_FUNCTION_NOT_FOUND, __VA_ARGS__)
#define NUMBER(name, function) PRINTED(name, unsigned value, client_number(function, device, &value), "%u", value)
#define SWITCH(name, function) \
    PRINTED(name, unsigned value, client_number(function, device, &value), "%s", value ? "Enabled" : "Disabled")
#define WATTS(name, function) \
    PRINTED(name, unsigned milliwatts, client_number(function, device, &milliwatts), "%u.%02u", milliwatts / 1000, \
            milliwatts % 1000 / 10)
#define MODE(name, function) \
    CALLED(name, unsigned current; unsigned pending, function, (nvmlDevice_t, unsigned *, unsigned *), \
           (device, &current, &pending), "%s", current ? "Enabled" : "Disabled")
#define ECC(name, kind, counter) \
    CALLED(name, nvmlCount_t count, "nvmlDeviceGetTotalEccErrors", (nvmlDevice_t, unsigned, unsigned, nvmlCount_t *), \
           (device, kind, counter, &count), "%llu", count)
#define REMAPPED(name, ...) \
    CALLED(name, unsigned rows[4], "nvmlDeviceGetRemappedRows", \
           (nvmlDevice_t, unsigned *, unsigned *, unsigned *, unsigned *), \
           (device, rows, rows + 1, rows + 2, rows + 3), __VA_ARGS__)
#define MEBIBYTES(name, part) \
    CALLED(name, nvmlMemory_t memory, "nvmlDeviceGetMemoryInfo", (nvmlDevice_t, nvmlMemory_t *), (device, &memory), \
           "%llu", memory.part >> 20)

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
REMAPPED(remapped_corrected, "%u", rows[0])
REMAPPED(remapped_uncorrected, "%u", rows[1])
REMAPPED(remapped_pending, "%s", rows[2] ? "Yes" : "No")
REMAPPED(remapped_failed, "%s", rows[3] ? "Yes" : "No")
MEBIBYTES(memory_total, total)
MEBIBYTES(memory_used, used)
MEBIBYTES(memory_free, free)
MODE(ecc_mode, "nvmlDeviceGetEccMode")
MODE(mig_mode, "nvmlDeviceGetMigMode")
CALLED(bus_id, nvmlPciInfo_t info, "nvmlDeviceGetPciInfo_v3", (nvmlDevice_t, nvmlPciInfo_t *), (device, &info), "%s", info.busId)
CALLED(temperature, unsigned celsius, "nvmlDeviceGetTemperature", (nvmlDevice_t, unsigned, unsigned *),
       (device, 0, &celsius), "%u", celsius)
CALLED(compute_capability, int major; int minor, "nvmlDeviceGetCudaComputeCapability", (nvmlDevice_t, int *, int *),
       (device, &major, &minor), "%d.%d", major, minor)
PRINTED(event_reasons, nvmlCount_t reasons,
        client_count_of("nvmlDeviceGetCurrentClocksEventReasons", device, &reasons), "0x%016llX", reasons)

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

READ(compute_mode)
{
    static const char *const names[] = {"Default", "Exclusive_Thread", "Prohibited", "Exclusive_Process"};
    unsigned mode;
    nvmlReturn_t result = client_number("nvmlDeviceGetComputeMode", device, &mode);
    if (!result && mode < 4)
        snprintf(out, length, "%s", names[mode]);
    return mode < 4 ? result : NVML_ERROR_UNKNOWN;
}

static nvmlReturn_t fabric(nvmlDevice_t device, nvmlGpuFabricInfo_t *info)
{
    nvmlReturn_t (*call)(nvmlDevice_t, nvmlGpuFabricInfo_t *) = client_function("nvmlDeviceGetGpuFabricInfo");
    nvmlReturn_t result = call ? call(device, info) : NVML_ERROR_FUNCTION_NOT_FOUND;
    return !result && info->state == NVML_GPU_FABRIC_STATE_NOT_SUPPORTED ? NVML_ERROR_NOT_SUPPORTED : result;
}

static const char *const fabric_states[] = {"Not Supported", "Not Started", "In Progress", "Completed"};

PRINTED(fabric_state, nvmlGpuFabricInfo_t info, fabric(device, &info), "%s", fabric_states[info.state & 3])
PRINTED(fabric_status, nvmlGpuFabricInfo_t info, fabric(device, &info), "%s",
        info.state == NVML_GPU_FABRIC_STATE_COMPLETED ? client_error(info.status) : "N/A")

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
