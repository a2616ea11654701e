"""What is known of each machine's installation, one file per node: a server that is started again goes on from there."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from rackwright.base.durable_file import replace_file
from rackwright.base.errors import OutsideError
from rackwright.model.base import Record

State = Literal["waiting", "booting", "installing", "written", "installed", "held"]
"""``written``: the system is on the disk and has not phoned home; ``held``: somebody must look, the finding says why."""
OPEN: tuple[State, ...] = ("waiting", "booting", "installing")
"""States in which a machine gets an installer."""


class MachineReport(Record):
    """What an installed machine says about itself."""

    serial: str = Field(max_length=200)
    uuid: str = Field(default="", max_length=200)
    mac: str = Field(default="", max_length=200)
    tpm_ek_sha256: str = Field(default="", max_length=200)
    bmc_address: str = Field(default="", max_length=200)
    hostname: str = Field(default="", max_length=200)
    system: str = Field(default="", max_length=200)
    kernel: str = Field(default="", max_length=200)
    host_key: str = Field(default="", max_length=2000)


class InstallRecord(Record):
    """The installation of one node, as far as it got: evidence of what was put onto which machine, and when."""

    node: str
    state: State = "waiting"
    since: str = ""
    """ISO time of the last change."""
    attempt: int = 0
    image: str = ""
    digests: dict[str, str] = {}
    """SHA-256 of every file of the image that was served, by path."""
    report: MachineReport | None = None
    findings: list[str] = []


class InstallRecords:
    """The records of a site, in one folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def read(self, node: str) -> InstallRecord:
        """The record of `node`; a waiting one where nothing happened yet. OutsideError for a file that cannot be read."""
        path = self._folder / f"{node}.json"
        try:
            return InstallRecord.model_validate_json(path.read_bytes())
        except FileNotFoundError:
            return InstallRecord(node=node)
        except (OSError, ValidationError) as error:
            line = str(error).splitlines()[0]
            raise OutsideError(
                f"{path} cannot be read ({line}): restore it, or remove it to install {node} anew"
            ) from error

    def write(self, record: InstallRecord) -> None:
        """Keep `record` in place of what was known."""
        replace_file(self._folder / f"{record.node}.json", record.model_dump_json(indent=1) + "\n", 0o600)
