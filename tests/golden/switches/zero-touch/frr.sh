#!/bin/bash
# The plugin of section 01-frr of ztp.json.
set -euo pipefail
curl --globoff --fail --silent --show-error --output /etc/sonic/frr/frr.conf 'http://10.64.0.2:8080/switches/compute-leaf-01/frr.conf'
