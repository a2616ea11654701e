"""Packs the probe into one file that any node with Python 3.8 can run.

The bytes depend only on the content: not on dates, paths or the order of a folder.
"""

from __future__ import annotations

import hashlib
import io
import os
import tempfile
import zipfile
from importlib import metadata
from pathlib import Path

from rackwright.base.errors import OutsideError

SOURCES = Path(__file__).with_name("probe")
INSIDE = "rackwright_probe"
"""Name of the package inside the zipapp: nodes have no `rackwright`, and an installed one must not be mistaken for it."""
BINDING = "nvidia-ml-py"
LAUNCHER = f"import sys\n\nfrom {INSIDE}.entry import main\n\nsys.exit(main())\n"
LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The earliest date that a zip file can hold."""


def build_probe(cache: Path) -> Path:
    """Path of the zipapp in `cache`; the file is written only if its content is new.

    Raises `OutsideError` if the installation lacks the module pynvml.
    """
    content = _content()
    digest = hashlib.sha256(
        b"".join(name.encode() + b"\0" + text + b"\0" for name, text in content.items())
    ).hexdigest()
    target = cache / f"probe-{digest[:16]}.pyz"
    if not target.exists():
        _write(target, _pack(content))
    return target


def _content() -> dict[str, bytes]:
    try:
        binding = metadata.distribution(BINDING)
        pynvml = Path(str(binding.locate_file("pynvml.py"))).read_bytes()
    except (metadata.PackageNotFoundError, FileNotFoundError):
        raise OutsideError(f"the module pynvml is not installed; install the package {BINDING} again") from None
    files = {f"{INSIDE}/{path.relative_to(SOURCES).as_posix()}": path.read_bytes() for path in SOURCES.rglob("*.py")}
    files[f"{INSIDE}/built.py"] = f'PYNVML = "{binding.version}"\n'.encode()
    files["pynvml.py"] = pynvml
    files["__main__.py"] = LAUNCHER.encode()
    return dict(sorted(files.items()))


def _pack(content: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in content.items():
            entry = zipfile.ZipInfo(name, date_time=LONG_AGO)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 3  # Unix, wherever it is packed
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, text)
    return packed.getvalue()


def _write(target: Path, packed: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=target.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(packed)
    Path(name).replace(target)
