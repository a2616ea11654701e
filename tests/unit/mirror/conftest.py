"""A web server with faults, keys, and a small signed apt repository: what the mirror is tested against."""

import gzip
import hashlib
import http.server
import shutil
import subprocess
import threading
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import unquote

import pytest
import yaml

from rackwright import mirror
from rackwright.mirror import fetch, signing
from rackwright.mirror.layout import MirrorLayout
from rackwright.model.artifact import Wanted
from rackwright.model.software import Software
from tests.gpg import Gpg

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
SOFTWARE = Software(apt_mirror="http://mirror.site/apt")


class Handler(http.server.SimpleHTTPRequestHandler):
    """Files with ranges; a fault of the server's table may answer instead."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        path = unquote(self.path.split("?")[0])
        self.server.asked.append((path, self.headers.get("Range", "")))
        fault = self.server.faults.get(path)
        if fault and fault(self):
            return
        file = Path(self.server.folder) / path.lstrip("/")
        if not file.is_file():
            self.answer(404, b"")
            return
        data = file.read_bytes()
        wish = self.headers.get("Range", "")
        if wish.startswith("bytes="):
            start = int(wish[6:].rstrip("-"))
            if start >= len(data):
                self.answer(416, b"")
            else:
                self.answer(206, data[start:])
        else:
            self.answer(200, data)

    def answer(self, status, body, length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        if length is not None and length != len(body):
            self.close_connection = True

    def log_message(self, *_arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, folder):
        super().__init__(("127.0.0.1", 0), Handler)
        self.folder = folder
        self.faults = {}
        self.asked = []
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}"

    def stop(self):
        self.shutdown()
        self.server_close()


@pytest.fixture
def serve():
    """serve(folder) -> a running server."""
    running = []

    def start(folder):
        running.append(Server(folder))
        return running[-1]

    yield start
    for entry in running:
        entry.stop()


@pytest.fixture(scope="session")
def gpg(tmp_path_factory):
    """Keys `vendor`, `other` (good) and `old` (expired), and the key ring of a mirror after its first use."""
    ring = Gpg(Path(tmp_path_factory.mktemp("g")) / "h")
    ring.of_mirror = tmp_path_factory.mktemp("m") / "gnupg"
    with signing.open_signer("", ring.of_mirror):
        pass
    ring.prints = {
        "vendor": ring.key("vendor"),
        "other": ring.key("other"),
        "old": ring.key("old", expires="20260701T000000"),
    }
    yield ring
    ring.stop()


PACKAGES = {
    "driver": [("2.0-1", "lib (= 2.0-1), tool (>= 1:3)"), ("1.0-1", "lib (= 1.0-1), tool (>= 1:3)")],
    "lib": [("2.0-1", "libc6 (>= 2.36)"), ("1.0-1", "libc6 (>= 2.36)")],
    "tool": [("1:3.5-1", "extra | other-extra"), ("1:2.0-1", "")],
    "odd": [("1:1+b~c-1", "")],
    "other-extra": [("7", "")],
    "unrelated": [("1", "")],
}
"""Name -> versions with what they depend on."""


@pytest.fixture(scope="session")
def debs(tmp_path_factory):
    """A pool of real packages, with the text of their index."""
    root = tmp_path_factory.mktemp("debs")
    (root / "pool").mkdir()
    for name, releases in PACKAGES.items():
        for version, depends in releases:
            tree = root / "tree" / f"{name}-{version.replace(':', '_')}"
            (tree / "DEBIAN").mkdir(parents=True)
            needs = f"Depends: {depends}\n" if depends else ""
            control = f"Package: {name}\nVersion: {version}\nArchitecture: amd64\nMaintainer: a <a@b.invalid>\n{needs}Description: a\n"
            (tree / "DEBIAN" / "control").write_text(control)
            (tree / "payload").write_bytes(hashlib.sha256(name.encode()).digest() * 4096)
            printed = version.replace(":", "%3a") if name == "odd" else version.split(":")[-1]
            target = root / "pool" / f"{name}_{printed}_amd64.deb"
            subprocess.run(
                ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(target)],
                check=True,
                capture_output=True,
            )
    return root


class AptRepository:
    """A signed apt repository whose parts a test may break."""

    def __init__(self, root, debs, gpg):
        self.root = root
        self.gpg = gpg
        (root / "pool").mkdir(parents=True)
        for path in (debs / "pool").iterdir():
            (root / "pool" / path.name).hardlink_to(path)
        self.build()

    @property
    def suite(self):
        return self.root / "dists" / "stable"

    def build(self, *, signer="vendor", extra="", drop=()):
        folder = self.suite / "main" / "binary-amd64"
        folder.mkdir(parents=True, exist_ok=True)
        listed = subprocess.run(
            ["apt-ftparchive", "packages", "pool"], cwd=self.root, capture_output=True, check=True, text=True
        ).stdout
        stored = [
            entry
            for entry in listed.split("\n\n")
            if entry.strip() and not any(f"Filename: pool/{element}_" in entry for element in drop)
        ]
        text = "\n\n".join(stored).encode() + b"\n"
        (folder / "Packages").write_bytes(text)
        (folder / "Packages.gz").write_bytes(gzip.compress(text, mtime=0))
        sums = "".join(
            f" {hashlib.sha256(data).hexdigest()} {len(data)} main/binary-amd64/{name}\n"
            for name in ("Packages", "Packages.gz")
            if (data := (folder / name).read_bytes())
        )
        self.release = f"Origin: v\nSuite: stable\nCodename: stable\nDate: Sat, 21 Nov 2026 00:00:00 UTC\n{extra}Architectures: amd64\nComponents: main\nSHA256:\n{sums}".encode()
        (self.suite / "Release").write_bytes(self.release)
        for name in ("InRelease", "Release.gpg"):
            (self.suite / name).unlink(missing_ok=True)
        if signer:
            (self.suite / "InRelease").write_bytes(self.gpg.clearsign(signer, self.release))
            (self.suite / "Release.gpg").write_bytes(self.gpg.detach(signer, self.release))


@pytest.fixture
def repository(tmp_path, debs, gpg):
    return AptRepository(tmp_path / "upstream", debs, gpg)


def software(name, version="", **more):
    return Wanted(
        **{"pool": "train", "os": "debian-12", "role": "r", "kind": "package", "name": name, "version": version, **more}
    )


class Bench:
    """A mirror in the making: one upstream `vendor`, one folder."""

    def __init__(self, folder, url, gpg):
        self.folder = folder
        self.to = folder / "mirror"
        self.url = url
        self.gpg = gpg
        self.key = folder / "vendor.asc"
        self.key.write_bytes(gpg.public("vendor"))
        self.events = []
        self.asked = [software("driver", "1.0-*"), software("lib*", "1.0-*")]

    def upstreams(self, **changes):
        entry = {
            "name": "vendor", "type": "apt", "for": [], "os": {"debian-12": {}}, "architecture": {"amd64": "amd64"},
            "url": self.url, "suites": ["stable"], "components": ["main"], "source": "a test", "date": "2026-11-21",
            **changes,
        }  # fmt: skip
        path = self.folder / "upstreams.yaml"
        path.write_text(yaml.safe_dump({"upstreams": [entry], "files": self.vendor_files}))
        return mirror.load_upstreams(path)

    vendor_files = ()
    software = SOFTWARE

    def order(self, **more):
        return mirror.SyncOptions(
            **{"to": self.to, "upstreams": self.upstreams(), "keys": {"vendor": self.key}, **more}
        )

    def groups(self):
        return mirror.group_required(self.asked, self.software.bill)

    def sync(self, order=None, **more):
        order = order or self.order(**more)
        secrets = MirrorLayout(order.to).secrets
        if not order.sign_key and not secrets.exists():
            shutil.copytree(self.gpg.of_mirror, secrets)  # an RSA key takes a second to make
        return mirror.sync_mirror("lab", SOFTWARE, self.groups(), order, lambda n, d: self.events.append((n, d)), NOW)

    def verify(self, *, site=False):
        places = mirror.MirrorPaths(self.upstreams(), None, SOFTWARE.apt_mirror, "") if site else None
        return mirror.verify_mirror(self.to, self.groups() if site else (), places, lambda *_event: None).problems

    def names(self):
        from rackwright.mirror import lock

        return sorted(
            f"{artifact.name} {artifact.version}"
            for artifact in lock.read_lock(self.to).artifacts
            if artifact.kind == "package"
        )


@pytest.fixture
def bench(tmp_path, repository, serve, gpg, monkeypatch):
    """One upstream on loopback, and the mirror to fill from it; pauses between attempts are short."""
    monkeypatch.setattr(fetch, "FIRST_PAUSE_SECONDS", 0.01)
    server = serve(repository.root)
    built = Bench(tmp_path, server.url, gpg)
    built.server = server
    built.repository = repository
    return built
