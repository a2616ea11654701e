"""Vendor files, keys and images: where they come from, where hosts find them, and what a person must fetch."""

import gzip
import hashlib
import json
import os
import shutil

import pytest

from rackwright import mirror
from rackwright.base.errors import ProblemsError
from rackwright.mirror import lock
from rackwright.mirror.registry import Reference, parse_reference
from rackwright.mirror.required_files import MirrorPaths
from rackwright.model.artifact import Wanted

from . import conftest


def file(url, **more):
    return Wanted(
        **{
            "pool": "npu",
            "os": "debian-12",
            "role": "ascend_driver",
            "kind": "file",
            "name": "driver",
            "url": url,
            **more,
        }
    )


RUN = "Ascend-hdk-910b-npu-driver_25.5.2_linux-x86_64.run"


def places(files=None, file_mirror=""):
    return MirrorPaths(mirror.load_upstreams(), files, "http://mirror.site/apt/", file_mirror)


def test_where_hosts_find_a_file(tmp_path):
    assert places().path(file(f"http://mirror.site/apt/vendor/{RUN}")) == f"vendor/{RUN}"
    assert places(file_mirror="http://f.site").path(file(f"http://f.site/a/{RUN}?x=1")) == f"files/a/{RUN}"
    assert places().path(file(f"https://vendor.example/{RUN}")) == f"files/{RUN}"
    assert places().path(file(f"http://mirror.site/apt/../../etc/{RUN}")) == f"files/{RUN}"


def test_where_a_file_comes_from(tmp_path):
    name = "NVIDIA-Linux-x86_64-580.173.02.run"
    url, _ = places().origin(file(f"http://mirror.site/apt/{name}"))
    assert url == f"https://us.download.nvidia.com/tesla/580.173.02/{name}"
    assert places().origin(file(f"http://mirror.site/apt/{RUN}"))[1].startswith("https://www.hiascend.com/")
    assert places().origin(file("https://vendor.example/x.bin")) == ("https://vendor.example/x.bin", "")
    assert places().origin(file("http://mirror.site/apt/x.bin")) == ("", "")
    (tmp_path / RUN).write_text("x")
    assert places(tmp_path).origin(file(f"http://mirror.site/apt/{RUN}"))[0] == (tmp_path / RUN).as_uri()


def test_a_file_that_a_person_must_fetch(bench):
    bench.vendor_files = [
        {"match": "Ascend-.*", "by_hand": "https://vendor.example/login", "source": "a", "date": "2026"}
    ]
    bench.asked = [file(f"http://mirror.site/apt/{RUN}"), file("http://mirror.site/apt/odd.bin")]
    with pytest.raises(ProblemsError) as caught:
        bench.sync()
    assert {problem.path: problem.message for problem in caught.value.problems} == {
        f"ascend_driver.{RUN}": "this vendor file must be fetched by hand",
        "ascend_driver.odd.bin": "nobody knows where this file comes from",
    }
    by_hand = bench.folder / "by-hand"
    by_hand.mkdir()
    (by_hand / RUN).write_bytes(b"driver" * 1000)
    (by_hand / "odd.bin").write_bytes(b"odd")
    bench.sync(files=by_hand)
    assert (bench.to / RUN).read_bytes() == b"driver" * 1000
    shutil.rmtree(by_hand)
    assert not bench.sync().changed
    assert bench.verify(site=True) == ()
    (bench.to / "odd.bin").write_bytes(b"odt")
    assert [problem.place for problem in bench.verify()] == ["odd.bin"]


def test_a_file_with_another_digest_than_the_role_names(bench):
    good = hashlib.sha256(b"good").hexdigest()
    (bench.repository.root / "x.bin").write_bytes(b"bad!")
    bench.asked = [file(f"{bench.url}/x.bin", sha256=good)]
    with pytest.raises(ProblemsError) as caught:
        bench.sync()
    assert caught.value.problems[0].code == "mirror.wrong_digest"
    (bench.repository.root / "x.bin").write_bytes(b"good")
    bench.sync()
    assert lock.read_lock(bench.to).by_path["files/x.bin"].sha256 == good
    bench.asked = [file(f"{bench.url}/x.bin", sha256="0" * 64)]
    assert bench.verify(site=True)[0].code == "mirror.lacking"


def test_the_key_of_the_mirror_is_its_own(bench):
    bench.asked = [
        file("http://mirror.site/apt/rackwright-mirror.asc", kind="key"),
        conftest.software("tool", "1:3.5-*"),
    ]
    bench.sync()
    assert bench.verify(site=True) == ()
    plan = mirror.plan_mirror(conftest.SOFTWARE, bench.groups(), bench.upstreams(), bench.to, None)
    assert [line.state for line in plan.lines] == ["present", "present"]


class Registry:
    """A registry on loopback that wants a token, as files of the test's web server."""

    def __init__(self, server, root):
        self.server = server
        self.root = root / "v2"
        self.name = f"127.0.0.1:{server.server_port}/team/app"
        blobs = [gzip.compress(os.urandom(20000)), b'{"architecture":"amd64"}']
        for blob in blobs:
            self.put("blobs", blob)
        config, layer = blobs[1], blobs[0]
        kind = "application/vnd.oci.image.manifest.v1+json"
        manifest = {
            "schemaVersion": 2,
            "mediaType": kind,
            "config": self.descriptor(config),
            "layers": [self.descriptor(layer)],
        }
        self.manifest = json.dumps(manifest).encode()
        index = {
            "manifests": [{**self.descriptor(self.manifest), "platform": {"architecture": "amd64", "os": "linux"}}]
        }
        self.serve("manifests/1.0", json.dumps(index).encode(), "application/vnd.oci.image.index.v1+json")
        self.serve(f"manifests/{self.digest(self.manifest)}", self.manifest, kind)
        server.faults["/token"] = lambda request: request.answer(200, b'{"token": "let-me-in"}') or True

    @staticmethod
    def digest(data):
        return f"sha256:{hashlib.sha256(data).hexdigest()}"

    def descriptor(self, data):
        return {"digest": self.digest(data), "size": len(data)}

    def put(self, kind, data):
        path = self.root / "team/app" / kind / self.digest(data)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        self.server.faults[f"/v2/team/app/{kind}/{path.name}"] = self.guarded

    def serve(self, path, data, kind):
        def answer(handler):
            return self.guarded(handler) or handler.answer(200, data, Content_Type=kind) or True

        self.server.faults[f"/v2/team/app/{path}"] = answer

    def guarded(self, handler):
        if handler.headers.get("Authorization") == "Bearer let-me-in":
            return False
        realm = f'Bearer realm="{self.server.url}/token",service="r"'
        handler.answer(401, b"", WWW_Authenticate=realm)
        return True


@pytest.fixture
def registry(bench):
    return Registry(bench.server, bench.repository.root)


def image(name, **more):
    return conftest.software(name, kind="image", role="images", **more)


def test_an_image_by_its_digests(bench, registry):
    bench.asked = [image(f"{registry.name}:1.0")]
    bench.sync()
    index = json.loads((bench.to / "images/index.json").read_text())
    (manifests,) = index["manifests"]
    assert manifests["annotations"]["org.opencontainers.image.ref.name"] == f"{registry.name}:1.0"
    assert manifests["digest"] == registry.digest(registry.manifest)
    blobs = bench.to / "images/blobs/sha256"
    assert sorted(path.name for path in blobs.iterdir()) == sorted(
        hashlib.sha256(path.read_bytes()).hexdigest() for path in blobs.iterdir()
    )
    assert len(list(blobs.iterdir())) == 3
    assert bench.verify(site=True) == ()
    assert "let-me-in" not in (bench.to / "mirror.lock.json").read_text()
    bench.server.faults.clear()
    assert not bench.sync().changed
    next(blobs.iterdir()).write_bytes(b"")
    assert len(bench.verify()) == 1


def test_an_image_of_another_architecture(bench, registry):
    bench.asked = [image(f"{registry.name}:1.0", architecture="arm64")]
    with pytest.raises(ProblemsError, match="exists for amd64"):
        bench.sync()


def test_an_image_that_is_not_there(bench, registry):
    bench.asked = [image(f"{registry.name}:2.0"), image("UPPER CASE")]
    with pytest.raises(ProblemsError) as caught:
        bench.sync()
    assert sorted(problem.code for problem in caught.value.problems) == ["mirror.bad_image", "mirror.no_image"]


def test_a_blob_with_another_digest(bench, registry):
    path = next((registry.root / "team/app/blobs").iterdir())
    path.write_bytes(b"x" * path.stat().st_size)
    bench.asked = [image(f"{registry.name}:1.0")]
    with pytest.raises(ProblemsError) as caught:
        bench.sync()
    assert caught.value.problems[0].code == "mirror.wrong_digest"


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ubuntu:24.04", Reference("index.docker.io", "library/ubuntu", "24.04")),
        ("docker.io/prom/node:v1", Reference("index.docker.io", "prom/node", "v1")),
        ("prom/node", Reference("index.docker.io", "prom/node", "latest")),
        ("nvcr.io/nvidia/pytorch:26.06-py3", Reference("nvcr.io", "nvidia/pytorch", "26.06-py3")),
        ("localhost:5000/a/b:1", Reference("localhost:5000", "a/b", "1")),
        (f"r.io/a:1@sha256:{'0' * 64}", Reference("r.io", "a", f"sha256:{'0' * 64}")),
    ],
)
def test_references(name, expected):
    assert parse_reference(name) == expected


def test_a_plan_says_what_it_cannot_know(bench):
    bench.asked = [conftest.software("linux-headers-*", "*"), conftest.software("driver", "1.0-*")]
    result = mirror.plan_mirror(conftest.SOFTWARE, bench.groups(), bench.upstreams(), None, None)
    assert "name it (software.kernel in the site file)" in result.notes[0]
    bench.asked = [conftest.software("linux-headers-6.1.0-49-amd64"), conftest.software("driver", "1.0-*")]
    assert mirror.plan_mirror(conftest.SOFTWARE, bench.groups(), bench.upstreams(), None, None).notes == ()
    assert result.missing == 1


def test_a_file_that_comes_again_is_the_same_file(bench):
    (bench.repository.root / "x.bin").write_bytes(b"good")
    bench.asked = [file(f"{bench.url}/x.bin")]
    bench.sync()
    (bench.to / "files/x.bin").unlink()
    (bench.repository.root / "x.bin").write_bytes(b"evil")
    with pytest.raises(ProblemsError) as caught:
        bench.sync()
    assert caught.value.problems[0].code == "mirror.wrong_digest"
    bench.sync(upgrade=True)
    assert (bench.to / "files/x.bin").read_bytes() == b"evil"
