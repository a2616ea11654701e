"""A vendor of accelerators that rackwright has never heard of, as the files of a site: parts, collector, limits, driver, and its look on the twin."""

from __future__ import annotations

import textwrap
from pathlib import Path

from rackwright import catalog

SOURCE = """
sources:
  - {doc: "Quark, data sheet of the Q1 (fictitious)", date: "2026-11-23", level: read, covers: ["*"]}
"""
TOOL = """
#!/usr/bin/python3 -IS
import json, os, sys
with open("/run/rackwright-twin/accelerators.json") as file:
    gpus = json.load(file)["accelerators"] if os.path.isdir("/sys/module/quark") else sys.exit("quark-smi: no driver")
for gpu in gpus:
    print(gpu["index"], gpu["product"], gpu["serial"], gpu["bus_id"], gpu["memory_mib"], gpu["power_watts"], sep=",")
""".lstrip("\n")
"""What the site's package has for the tool: it answers from what the twin says of the accelerators of a host."""
FILES = {
    "catalog/vendors/quark.yaml": f"""
sku: quark
kind: vendor
manufacturer: Quark
model: accelerators of Quark
device_file: /dev/quark
driver_role: accelerator_vendor
{SOURCE}""",
    "catalog/accelerators/quark-q1.yaml": f"""
sku: quark-q1
kind: accelerator
manufacturer: Quark
model: Q1
vendor: quark
architecture: q
product_name: Quark Q1
memory_gib: 64
memory_gbytes_per_s: 1000
tdp_watts: 400
pcie_generation: 5
pcie_width: 16
{SOURCE}""",
    "validators/collectors/quark_smi.py": '''
"""Every accelerator out of quark-smi: index, name, serial, bus, MiB, W."""

from rackwright.collect.collector import Collector, ParseError
from rackwright.model.evidence.accelerator import Accelerators, Device


def parse(output):
    devices = []
    for number, line in enumerate(output.splitlines(), 1):
        fields = line.split(",")
        if len(fields) != 6:
            raise ParseError(number, line, "index, name, serial, bus, MiB and W")
        index, name, serial, bus, mib, watts = fields
        devices.append(
            Device.bare(index=int(index), product_name=name, uuid=serial, serial=serial, pci_bus_id=bus, memory_total_bytes=int(mib) << 20,
                        power_watts=float(watts))
        )
    return Accelerators(driver_version="", cuda_driver_version="", devices=devices)


COLLECTOR = Collector(
    produces=Accelerators, parse=parse, seconds=60, roles=("accelerator",), vendors=("quark",), command=("quark-smi", "--csv")
)
''',
    "validators/limits/quark.yaml": """
limits:
  - {metric: kubernetes.resource, match: {vendor: quark}, value: quark.example/q, unit: names, date: "2026-11-23", kind: vendor, source: "Quark device plugin"}
  - {metric: gpu.memory_share, match: {architecture: q}, value: 0.95, unit: share, date: "2026-11-23", kind: derived, source: "Quark keeps 2 GiB for itself"}
  - {metric: pcie.vendor_id, match: {vendor: quark}, value: "1def", unit: id, date: "2026-11-23", kind: vendor, source: "Quark data sheet"}
""",
    "roles/accelerator_vendor/vars/vendors/quark.yml": """
__accelerator_vendor_data:
  packages: {debian: {quark-driver: "{{ accelerator_vendor_driver }}"}}
  files: []
  module: quark
  dkms: quark
  more_modules: []
  devices: /dev/quark*
  groups: []
  tool: quark-smi
  visible: QUARK_VISIBLE_DEVICES
  environment: {}
  path: []
  runtime: {}
  unknown: []
  verify: []
""",
    "twin/vendors/quark.yaml": """
source: Quark, driver guide (fictitious)
date: 2026-11-23
vendor: "1def"
class: "1200"
products: {"Quark Q1": "0001"}
module: quark
devices: ["quark{index}"]
control: []
kubernetes_resource: quark.example/q
""",
    "twin/packages/quark.yaml": f"""
family: quark
source: Quark, driver guide (fictitious)
date: 2026-11-23
package_version: "@version@"
bill: vendor_driver
packages:
  quark-driver:
    summary: Quark driver with quark-smi
    depends: [dkms]
    dkms:
      name: quark
      modules:
        quark: {{license: GPL, aliases: ["pci:v00001DEFd*sv*sd*bc12sc00i*"], needs: /run/rackwright-twin/accelerators.json}}
    files:
      /usr/bin/quark-smi:
        mode: "0755"
        text: |
{textwrap.indent(TOOL, " " * 10)}
""",
    "twin/tools/quark_smi.py": '''
"""quark-smi --csv on a node of the twin."""

def observe(state, design, node):
    present = [gpu for gpu in state.machines[node].gpus if gpu.present]
    lines = [f"{n},{gpu.product_name},{gpu.serial},{gpu.pci_bus_id},{gpu.memory_bytes >> 20},{gpu.power_limit_watts // 5}" for n, gpu in enumerate(present)]
    return "\\n".join(lines).encode()
''',
}


def _server() -> str:
    """Eight of its accelerators in a shipped server."""
    text = (Path(catalog.__file__).parent / "servers" / "br100-8u.yaml").read_text(encoding="utf-8")
    return text.replace("sku: br100-8u\n", "sku: quark-8u\n").replace("accelerator: br100\n", "accelerator: quark-q1\n")


def write(folder: Path) -> Path:
    """The folder of the site below `folder`."""
    for name, text in {**FILES, "catalog/servers/quark-8u.yaml": _server()}.items():
        path = folder / "own" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text.lstrip("\n"), encoding="utf-8")
    return folder / "own"
