/* nv-fabricmanager: refuses a driver of another version and a machine without NVSwitches, as the real one does.
 *
 * While it runs, NVML reports the fabric of every GPU as completed.
 */
#include "daemon.h"
#include "nvml_client.h"
#include "same_driver.h"
#include "twin_state.h"
#include "version.h"

#include <stdio.h>
#include <string.h>

#define NVLINK5 7 /* NVML_NVLINK_VERSION_5_0 of nvml.h */

int main(int argc, char **argv)
{
    if (argc > 1 && (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-v"))) {
        printf("Fabric Manager version is : %s\n", driver_version);
        return 0;
    }
    if (!same_driver("fabric manager NVIDIA GPU driver interface version %s don't match with driver version %s. "
                            "Please update with matching NVIDIA driver package.\n"))
        return 1;
    unsigned up;
    nvmlReturn_t (*link)(nvmlDevice_t, unsigned, unsigned *) = client_function("nvmlDeviceGetNvLinkState");
    if (!link || link(client_device(0), 0, &up) == NVML_ERROR_NOT_SUPPORTED) {
        fprintf(stderr, "request to query NVSwitch device information from NVSwitch driver failed with "
                        "error:WARNING Nothing to do [NV_WARN_NOTHING_TO_DO]\n");
        return 1;
    }
    unsigned generation;
    nvmlReturn_t (*nvlink)(nvmlDevice_t, unsigned, unsigned *) = client_function("nvmlDeviceGetNvLinkVersion");
    if (nvlink && !nvlink(client_device(0), 0, &generation) && generation >= NVLINK5 &&
        !twin_daemon_runs(NVLSM_PID, NVLSM_NAME)) {
        fprintf(stderr, "Fabric Manager could not connect to NVLSM; switches of NVLink5 need it to be running\n");
        return 1;
    }
    return daemon_live(FABRIC_MANAGER_PID, 1);
}
