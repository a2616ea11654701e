"""Container images of the mirror: one OCI image layout, every blob a file under its digest.

Load
one with ``skopeo copy oci:DIR/images:REFERENCE docker://...``. An image that is in the mirror stays as it is, wherever
its tag points by now, until an upgrade is asked for.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from rackwright.mirror.choose import all_or_problems
from rackwright.mirror.registry import MANIFESTS, Image, Registry
from rackwright.mirror.requested import Group
from rackwright.mirror.required import Due
from rackwright.mirror.stored_files import Kept
from rackwright.model.artifact import Artifact

FOLDER = "images"


async def due(groups: Iterable[Group], registry: Registry, kept: Kept, *, upgrade: bool) -> list[Due]:
    """The blobs of all images; manifests are written at once. ProblemsError with every image that cannot be had."""
    asked: dict[tuple[str, str], set[str]] = {}
    for group in groups:
        for wanted in group.wanted:
            if wanted.kind == "image":
                asked.setdefault((wanted.name, group.architecture), set()).add(f"{wanted.pool or '-'}/{wanted.role}")
    known = {key: () if upgrade else _kept(kept, *key) for key in asked}
    fresh = [key for key in asked if not known[key]]
    came = await all_or_problems([registry.image(*key) for key in fresh])
    found: dict[str, Due] = {}
    for key, image in zip(fresh, came, strict=True):
        for one in _new(kept, *key, image, tuple(sorted(asked[key]))):
            found.setdefault(one.artifact.path, one)
    for key, artifacts in known.items():
        for line in artifacts:
            asked_by = {"asked_by": tuple(sorted(asked[key]))}
            found.setdefault(line.path, Due(line.model_copy(update=asked_by)))
    return list(found.values())


def publish(kept: Kept, artifacts: Sequence[Artifact]) -> bool:
    """Write the layout's index, every manifest under its reference; False when it says so already."""
    images = [one for one in artifacts if one.kind == "image" and one.version]
    if not images:
        return False
    root = kept.layout.root / FOLDER
    listed = [_descriptor(one, (kept.layout.root / one.path).read_bytes()) for one in images]
    kept.layout.put(root / "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
    text = json.dumps({"schemaVersion": 2, "manifests": listed}, indent=1)
    return kept.layout.put(root / "index.json", text.encode())


def _kept(kept: Kept, name: str, architecture: str) -> tuple[Artifact, ...]:
    """The blobs of an image that is here whole."""
    lines = [one for one in kept.lock.artifacts if one.kind == "image" and one.architecture == architecture]
    manifest = next((one for one in lines if one.name == name and one.version and kept.there(one)), None)
    if manifest is None:
        return ()
    said = json.loads((kept.layout.root / manifest.path).read_bytes())
    wanted = {one["digest"].partition(":")[2] for one in (said["config"], *said["layers"])}
    blobs = [one for one in kept.lock.artifacts if one.kind == "image" and one.sha256 in wanted and kept.there(one)]
    return (manifest, *blobs) if {one.sha256 for one in blobs} == wanted else ()


def _new(kept: Kept, name: str, architecture: str, image: Image, asked_by: tuple[str, ...]) -> list[Due]:
    own = hashlib.sha256(image.manifest).hexdigest()
    kept.layout.put(kept.layout.root / _path(own), image.manifest)

    def artifact(sha256: str, size: int, folder: str, version: str = "") -> Artifact:
        return Artifact(
            kind="image",
            name=name,
            version=version,
            architecture=architecture,
            path=_path(sha256),
            url=f"{image.reference.url}/{folder}/sha256:{sha256}",
            size=size,
            sha256=sha256,
            asked_by=asked_by,
        )

    blobs = [artifact(digest.partition(":")[2], size, "blobs") for digest, size in image.blobs]
    first = artifact(own, len(image.manifest), "manifests", image.reference.version)
    return [Due(one, headers=image.headers) for one in (first, *blobs)]


def _path(sha256: str) -> str:
    return f"{FOLDER}/blobs/sha256/{sha256}"


def _descriptor(artifact: Artifact, manifest: bytes) -> dict[str, object]:
    return {
        "mediaType": json.loads(manifest).get("mediaType", MANIFESTS[0]),
        "digest": f"sha256:{artifact.sha256}",
        "size": artifact.size,
        "platform": {"os": "linux", "architecture": artifact.architecture},
        "annotations": {"org.opencontainers.image.ref.name": artifact.name},
    }
