/* The twin's hardware as the C programs see it: one text file of key=value lines, and the pid files of real daemons.
 *
 * In:  $RACKWRIGHT_TWIN_ROOT (a prefix for every path, empty on a node), <root>/run/rackwright-twin/nvml.state.
 * Out: values by key. A key that is absent is a reading the device does not support; it never means zero.
 */
#ifndef RACKWRIGHT_TWIN_STATE_H
#define RACKWRIGHT_TWIN_STATE_H

#include <stdbool.h>
#include <stddef.h>

#define TWIN_STATE "/run/rackwright-twin/nvml.state"
/* Version of the kernel module that is loaded; the first user of the driver has it loaded by TWIN_MODPROBE. */
#define TWIN_MODULE_LOADED "/sys/module/nvidia/version"
#define TWIN_MODPROBE "/usr/sbin/modprobe"
#define FABRIC_MANAGER_PID "/run/nvidia-fabricmanager/nv-fabricmanager.pid"
#define FABRIC_MANAGER_NAME "nv-fabricmanager"
#define PERSISTENCED_PID "/run/nvidia-persistenced/nvidia-persistenced.pid"
#define PERSISTENCED_NAME "nvidia-persistenced"
#define NVLSM_PID "/run/nvidia-fabricmanager/nvlsm.pid"
#define NVLSM_NAME "nvlsm"
#define IMEX_PID "/run/nvidia-imex/nvidia-imex.pid"
/* MIG as nvidia-mig-parted left it: `GPU enabled` and one `GPU PROFILE` per instance; a reboot ends both. */
#define TWIN_MIG "/run/rackwright-twin/mig"

/* Reads the state file again. False when there is none: the twin has not switched this machine on. */
bool twin_load(void);

/* The value of `gpu.<index>.<key>`, or NULL. Lives until the next twin_load. */
const char *twin_gpu(unsigned index, const char *key);

/* Number of accelerators that answer. */
unsigned twin_gpu_count(void);

/* <root> + `path` into `out`. */
void twin_path(const char *path, char *out, size_t size);

/* First line of a file below the root, without its line end. False when it cannot be read or is empty. */
bool twin_first_line(const char *path, char *out, size_t size);

/* Whether the process in `pid_file` lives and is called `name` (the kernel keeps 15 characters of it). */
bool twin_daemon_runs(const char *pid_file, const char *name);

#endif
