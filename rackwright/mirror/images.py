"""Container images of the mirror: one OCI image layout, every blob a file under its digest.

Load
one with ``skopeo copy oci:DIR/images:REFERENCE docker://...``. An image that is in the mirror stays as it is, wherever
its tag points by now, until an upgrade is requested.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence

from rackwright.mirror.install_groups import InstallGroup
from rackwright.mirror.package_choice import all_or_problems
from rackwright.mirror.registry import MANIFESTS, Image, Registry
from rackwright.mirror.required_files import RequiredFile
from rackwright.mirror.stored_files import StoredFiles
from rackwright.model.artifact import Artifact

FOLDER = "images"


async def required_images(
    groups: Iterable[InstallGroup], registry: Registry, stored: StoredFiles, *, upgrade: bool
) -> list[RequiredFile]:
    """The blobs of all images; manifests are written at once. ProblemsError with every image that cannot be fetched."""
    askers: dict[tuple[str, str], set[str]] = {}
    for group in groups:
        for software in group.required:
            if software.kind == "image":
                askers.setdefault((software.name, group.architecture), set()).add(
                    f"{software.pool or '-'}/{software.role}"
                )
    present = {key: () if upgrade else _stored_image(stored, *key) for key in askers}
    fresh = [key for key in askers if not present[key]]
    images = await all_or_problems([registry.image(*key) for key in fresh])
    required: dict[str, RequiredFile] = {}
    for key, image in zip(fresh, images, strict=True):
        for file in _new_blobs(stored, *key, image, tuple(sorted(askers[key]))):
            required.setdefault(file.artifact.path, file)
    for key, artifacts in present.items():
        for line in artifacts:
            asked_by = {"asked_by": tuple(sorted(askers[key]))}
            required.setdefault(line.path, RequiredFile(line.model_copy(update=asked_by)))
    return list(required.values())


def write_image_index(stored: StoredFiles, artifacts: Sequence[Artifact]) -> bool:
    """Write the layout's index, every manifest under its reference; False if it is up to date."""
    images = [image for image in artifacts if image.kind == "image" and image.version]
    if not images:
        return False
    root = stored.layout.root / FOLDER
    listed = [_descriptor(image, (stored.layout.root / image.path).read_bytes()) for image in images]
    stored.layout.put(root / "oci-layout", b'{"imageLayoutVersion":"1.0.0"}')
    text = json.dumps({"schemaVersion": 2, "manifests": listed}, indent=1)
    return stored.layout.put(root / "index.json", text.encode())


def _stored_image(stored: StoredFiles, name: str, architecture: str) -> tuple[Artifact, ...]:
    """The blobs of an image that the mirror holds completely; empty otherwise."""
    lines = [blob for blob in stored.lock.artifacts if blob.kind == "image" and blob.architecture == architecture]
    manifest = next((blob for blob in lines if blob.name == name and blob.version and stored.is_complete(blob)), None)
    if manifest is None:
        return ()
    content = json.loads((stored.layout.root / manifest.path).read_bytes())
    digests = {blob["digest"].partition(":")[2] for blob in (content["config"], *content["layers"])}
    blobs = [
        blob
        for blob in stored.lock.artifacts
        if blob.kind == "image" and blob.sha256 in digests and stored.is_complete(blob)
    ]
    return (manifest, *blobs) if {blob.sha256 for blob in blobs} == digests else ()


def _new_blobs(
    stored: StoredFiles, name: str, architecture: str, image: Image, asked_by: tuple[str, ...]
) -> list[RequiredFile]:
    manifest_digest = hashlib.sha256(image.manifest).hexdigest()
    stored.layout.put(stored.layout.root / _path(manifest_digest), image.manifest)

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
    first = artifact(manifest_digest, len(image.manifest), "manifests", image.reference.version)
    return [RequiredFile(blob, headers=image.headers) for blob in (first, *blobs)]


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
