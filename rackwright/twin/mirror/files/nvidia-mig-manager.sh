#!/bin/sh
# Applies the selected configuration, as service.sh of nvidia-mig-manager does.
: "${MIG_PARTED_CONFIG_FILE:=/etc/nvidia-mig-manager/config.yaml}"
: "${MIG_PARTED_SELECTED_CONFIG:?Environment variable must be set before calling this script}"
export MIG_PARTED_CONFIG_FILE MIG_PARTED_SELECTED_CONFIG
nvidia-mig-parted assert --mode-only || nvidia-mig-parted apply --mode-only || { echo "Error applying MIG mode"; exit 1; }
nvidia-mig-parted apply || { echo "Error applying MIG config"; exit 1; }
nvidia-mig-parted export
