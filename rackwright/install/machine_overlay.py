"""What a diskless machine gets over its root image at every boot, as the archive that dracut fetches from ``live.updates=``.

dracut unpacks it in the initramfs and copies it over the root before it starts (dracut 059, 2022-12-24: modules.d/90livenet/fetch-liveupdate.sh,
90dmsquash-live/apply-live-updates.sh): the host name, and a unit that makes accounts, names of interfaces and the phone-home before udev runs.
"""

from __future__ import annotations

import io
import tarfile
from collections.abc import Mapping

ARCHIVE = "overlay.tar"
UNITS = "etc/systemd/system"
UNIT = "rackwright-prepare.service"
TEMPLATES = ("prepare.sh", "prepare.service")
"""Files that it is made of, which are given to nobody by themselves."""


def archive(hostname: str, texts: Mapping[str, str]) -> bytes:
    """The tar archive of the machine called `hostname`; `texts` has those of `TEMPLATES`."""
    stream = io.BytesIO()
    # dracut knows an archive by the word at byte 257 (modules.d/99img-lib/img-lib.sh), which this format has.
    with tarfile.TarFile(mode="w", fileobj=stream, format=tarfile.USTAR_FORMAT) as tar:
        _add(tar, "etc/hostname", f"{hostname}\n", 0o644)
        _add(tar, "etc/rackwright/prepare.sh", texts["prepare.sh"], 0o600)
        _add(tar, f"{UNITS}/{UNIT}", texts["prepare.service"], 0o644)
        link = tarfile.TarInfo(f"{UNITS}/sysinit.target.wants/{UNIT}")
        link.type, link.linkname = tarfile.SYMTYPE, f"../{UNIT}"
        tar.addfile(link)
    return stream.getvalue()


def _add(tar: tarfile.TarFile, name: str, text: str, mode: int) -> None:
    content = text.encode()
    entry = tarfile.TarInfo(name)
    entry.size, entry.mode = len(content), mode
    tar.addfile(entry, io.BytesIO(content))
