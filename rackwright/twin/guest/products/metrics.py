"""Exporters of a twin node: node_exporter, dcgm-exporter, and those of AMD and Ascend, with numbers of the machine.

Shape: Prometheus text format; names of metrics from prometheus/node_exporter 1.9, NVIDIA/dcgm-exporter 4 (its file of counters),
ROCm/device-metrics-exporter 1.4 and npu-exporter 7 (2025).
"""

from __future__ import annotations

import contextlib
import glob
import http.server
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator

from . import parts

ACCELERATORS = "/run/rackwright-twin/accelerators.json"
DCGM = {
    "DCGM_FI_DEV_GPU_TEMP": "temperature.gpu",
    "DCGM_FI_DEV_POWER_USAGE": "power.draw",
    "DCGM_FI_DEV_FB_USED": "memory.used",
    "DCGM_FI_DEV_ECC_DBE_VOL_TOTAL": "ecc.errors.uncorrected.volatile.total",
}
"""Counters that this stand-in can answer with a number, and what nvidia-smi calls them; the others are 0."""
Page = Callable[[], Iterator[str]]


def node_exporter() -> int:
    """Entry point of ``node_exporter``."""
    words = sys.argv[1:]
    if words[:1] == ["--version"]:
        print(f"node_exporter, version {_path_beside('release')}")
        return 0
    folder = parts.option(words, "--collector.textfile.directory")
    return _serve(parts.option(words, "--web.listen-address") or ":9100", lambda: _node(folder))


def dcgm_exporter() -> int:
    """Entry point of ``dcgm-exporter``; as the real one it ends when the host engine does not answer."""
    words = sys.argv[1:]
    path = parts.option(words, "--collectors") or parts.option(words, "-f") or "/etc/dcgm-exporter/default-counters.csv"
    if subprocess.run(["systemctl", "is-active", "--quiet", "nvidia-dcgm"], check=False).returncode:
        print('level=fatal msg="Error connecting to the remote hostengine"', file=sys.stderr)
        return 1
    with open(path, encoding="utf-8") as file:
        fields = [line.split(",")[0].strip() for line in file if line.strip() and not line.startswith("#")]
    return _serve(parts.option(words, "--address") or ":9400", lambda: _gpus(fields))


def amd_exporter() -> int:
    """Entry point of ``amd-metrics-exporter``."""
    port = 5000
    with contextlib.suppress(OSError), open("/etc/metrics/config.json", encoding="utf-8") as file:
        port = int(json.load(file).get("ServerPort", port))
    return _serve(f":{port}", lambda: _accelerators("gpu_", "gpu_id"))


def npu_exporter() -> int:
    """Entry point of ``npu-exporter``."""
    words = sys.argv[1:]
    address = f"{parts.option(words, '-ip') or '127.0.0.1'}:{parts.option(words, '-port') or '8082'}"
    return _serve(address, lambda: _accelerators("npu_chip_info_", "id"))


def _node(folder: str) -> Iterator[str]:
    yield f'node_exporter_build_info{{version="{_path_beside("release")}",goos="linux"}} 1'
    with open("/proc/loadavg", encoding="ascii") as file:
        yield f"node_load1 {file.read().split()[0]}"
    with open("/proc/meminfo", encoding="ascii") as file:
        total = next(line.split()[1] for line in file if line.startswith("MemTotal:"))
    yield f"node_memory_MemTotal_bytes {int(total) * 1024}"
    for path in sorted(glob.glob(os.path.join(folder, "*.prom"))) if folder else []:
        with open(path, encoding="utf-8") as file:
            yield file.read().rstrip("\n")


def _gpus(fields: list[str]) -> Iterator[str]:
    supported = [field for field in fields if field in DCGM]
    query = ",".join(["index", "uuid", *(DCGM[field] for field in supported)])
    text = parts.output("nvidia-smi", f"--query-gpu={query}", "--format=csv,noheader,nounits").decode()
    for line in text.splitlines():
        index, uuid, *values = (word.strip() for word in line.split(","))
        numbers = dict(zip(supported, values, strict=True))
        for field in fields:
            yield f'{field}{{gpu="{index}",UUID="{uuid}"}} {numbers.get(field, 0)}'


def _accelerators(prefix: str, label: str) -> Iterator[str]:
    with open(ACCELERATORS, encoding="utf-8") as file:
        state = json.load(file)
    loaded = os.path.exists(f"/sys/module/{state['module']}")
    for accelerator in state["accelerators"] if loaded else []:
        for name, key in (("temperature", "temperature_celsius"), ("power", "power_watts"), ("health", "healthy")):
            yield f'{prefix}{name}{{{label}="{accelerator["index"]}"}} {int(accelerator[key])}'


def _path_beside(name: str) -> str:
    """A file in the folder of the program, where an archive was unpacked."""
    with open(os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), name), encoding="ascii") as file:
        return file.read().strip()


def _serve(address: str, page: Page) -> int:
    host, _, port = address.rpartition(":")

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = "\n".join(page()) + "\n" if self.path == "/metrics" else ""
            self.send_response(http.HTTPStatus.OK if text else http.HTTPStatus.NOT_FOUND)
            self.send_header("Content-Type", "text/plain; version=0.0.4")
            self.end_headers()
            self.wfile.write(text.encode())

        def log_message(self, *_: object) -> None:
            """Not in the log of the service."""

    http.server.ThreadingHTTPServer((host, int(port)), Handler).serve_forever()
    return 0
