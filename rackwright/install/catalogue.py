"""The catalogue of installable images, read from ``images.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from rackwright.base import yaml_text
from rackwright.model.artifact import Architecture
from rackwright.model.base import Positive, Record
from rackwright.model.software import OperatingSystem
from rackwright.model.sourced import Source
from rackwright.model.texts import Digest, InstallFile, Sku

Method = Literal["preseed", "autoinstall", "kickstart", "image", "diskless"]
"""What the installer reads: the answers of debian-installer, of subiquity (Ubuntu) or of Anaconda (EL), or our ramdisk that unpacks a whole system.
``diskless``: nothing is installed; dracut fetches the root image at every boot, and puts an overlay in memory over it."""


class ImageFile(Record):
    """A file of an image."""

    use: Literal["kernel", "initrd", "iso", "root"]
    path: InstallFile
    """Below the folder of images, or inside an ISO there."""
    inside: InstallFile | None = None
    """The ISO that holds it, whose digest then covers it."""
    bytes: Positive | None = None
    """Size; None where the source names none."""
    sha256: Digest | None = None
    """None where no public page gives it."""


class InstallImage(Record):
    """An installer, and the systems that it installs."""

    name: Sku
    systems: Annotated[list[OperatingSystem], Field(min_length=1)]
    method: Method
    architecture: Architecture
    files: list[ImageFile]
    source: Source

    @property
    def diskless(self) -> bool:
        """Whether the machine boots it from the network every time, and no disk has it."""
        return self.method == "diskless"

    def file(self, use: str) -> ImageFile | None:
        """Its file for `use`; None without one."""
        return next((file for file in self.files if file.use == use), None)


class BootLoader(Record):
    """iPXE, which firmware loads first; it speaks through the firmware's own driver of the network card."""

    name: InstallFile
    bytes: Positive
    sha256: Digest
    source: Source


class ImageCatalogue(Record):
    """Everything of ``images.yaml``."""

    images: list[InstallImage]
    loader: BootLoader

    def image(self, name: str | None, system: OperatingSystem) -> InstallImage | None:
        """The image called `name`, or the first for `system` when that is None; None where there is none."""
        fitting = (image for image in self.images if system in image.systems and name in (None, image.name))
        return next(fitting, None)


def digest(file: ImageFile, declared: Mapping[str, str]) -> str:
    """SHA-256 of `file` in small letters, as the site declares it or the catalogue; empty where neither does."""
    return (declared.get(file.path) or file.sha256 or "").removeprefix("sha256:").lower()


@cache
def load() -> ImageCatalogue:
    """``images.yaml`` as its record."""
    text = Path(__file__).with_name("images.yaml").read_text(encoding="utf-8")
    return ImageCatalogue.model_validate(yaml_text.load(text))
