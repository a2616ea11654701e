#!/bin/sh
# Starts the fabric manager, and before it the NVLink subnet manager where the NVSwitches are of the fifth generation.
mode=start config=/usr/share/nvidia/nvswitch/fabricmanager.cfg lsm=/usr/share/nvidia/nvlsm/nvlsm.conf lsm_pid=/run/nvidia-fabricmanager/nvlsm.pid
while [ $# -gt 1 ]; do
    case $1 in
    --mode) mode=$2 ;;
    --fm-config-file) config=$2 ;;
    --nvlsm-config-file) lsm=$2 ;;
    --nvlsm-pid-file) lsm_pid=$2 ;;
    esac
    shift 2
done
if [ "$mode" = stop ]; then
    [ ! -e "$lsm_pid" ] || kill "$(cat "$lsm_pid")" 2>/dev/null
    exit 0
fi
# The real one looks for SW_MNG in the vital product data of the adapters; the twin's hardware says the generation of its NVLinks (nvml.h).
if grep -q '^gpu\.0\.nvlink\.version=7$' /run/rackwright-twin/nvml.state 2>/dev/null; then
    if [ ! -x /opt/nvidia/nvlsm/sbin/nvlsm ]; then
        echo "NVLSM is not installed; it is required for NVLink5 and newer switches" >&2
        exit 1
    fi
    mkdir -p "${lsm_pid%/*}"
    /opt/nvidia/nvlsm/sbin/nvlsm -F "$lsm" --pid_file "$lsm_pid" || exit 1
fi
exec /usr/bin/nv-fabricmanager -c "$config"
