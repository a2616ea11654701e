/* The part of NVIDIA's Management Library interface that the twin answers: names, codes and structures as public in nvml.h.
 *
 * Every function returns a code of the list below. Values keep NVML's units: bytes, milliwatts, degrees Celsius.
 */
#ifndef RACKWRIGHT_TWIN_NVML_H
#define RACKWRIGHT_TWIN_NVML_H

typedef int nvmlReturn_t;
typedef struct nvmlDevice_st *nvmlDevice_t;
typedef unsigned long long nvmlCount_t;

enum {
    NVML_SUCCESS = 0,
    NVML_ERROR_UNINITIALIZED = 1,
    NVML_ERROR_INVALID_ARGUMENT = 2,
    NVML_ERROR_NOT_SUPPORTED = 3,
    NVML_ERROR_NO_PERMISSION = 4,
    NVML_ERROR_NOT_FOUND = 6,
    NVML_ERROR_INSUFFICIENT_SIZE = 7,
    NVML_ERROR_DRIVER_NOT_LOADED = 9,
    NVML_ERROR_LIBRARY_NOT_FOUND = 12,
    NVML_ERROR_FUNCTION_NOT_FOUND = 13,
    NVML_ERROR_CORRUPTED_INFOROM = 14,
    NVML_ERROR_LIB_RM_VERSION_MISMATCH = 18,
    NVML_ERROR_ARGUMENT_VERSION_MISMATCH = 25,
    NVML_ERROR_UNKNOWN = 999,
};

enum { NVML_GPU_FABRIC_STATE_NOT_SUPPORTED = 0, NVML_GPU_FABRIC_STATE_NOT_STARTED = 1, NVML_GPU_FABRIC_STATE_COMPLETED = 3 };

#define NVML_NVLINK_MAX_LINKS 36
#define NVML_NVLINK_ERROR_DL_CRC_FLIT 2
#define NVML_NVLINK_ERROR_COUNT 5

typedef struct {
    char busIdLegacy[16];
    unsigned domain, bus, device, pciDeviceId, pciSubSystemId;
    char busId[32];
} nvmlPciInfo_t;

typedef struct {
    nvmlCount_t total, free, used;
} nvmlMemory_t;

typedef struct {
    unsigned version;
    nvmlCount_t total, reserved, free, used;
} nvmlMemory_v2_t;

typedef struct {
    unsigned version, sensorType;
    int temperature;
} nvmlTemperature_t;

typedef struct {
    unsigned char clusterUuid[16];
    nvmlReturn_t status;
    unsigned cliqueId;
    unsigned char state;
} nvmlGpuFabricInfo_t;

/* Versions 2 and 3 share their head; version 3 appends healthSummary. */
typedef struct {
    unsigned version;
    unsigned char clusterUuid[16];
    nvmlReturn_t status;
    unsigned cliqueId;
    unsigned char state;
    unsigned healthMask;
    unsigned char healthSummary;
} nvmlGpuFabricInfoV_t;

/* NVML stamps a structure with its size and its version: version << 24 | size. */
#define NVML_STRUCT_VERSION(size, version) ((unsigned)(size) | ((unsigned)(version) << 24))

#endif
