"""The mirror filled from a real rpm repository: by a signed index, or by signed packages where the index is not."""

import shutil
import subprocess
from pathlib import Path

import pytest

from rackwright import mirror
from rackwright.base.errors import ProblemsError
from rackwright.mirror import fetch, lock, rpm_index, rpm_package, unpack
from rackwright.mirror.signature import Ring, SignatureError, verify_detached

from . import conftest

DATA = Path(__file__).with_name("rpm")
DRIVER = "gpu-driver-580.1-1.el9.noarch.rpm"


@pytest.fixture
def bench(tmp_path, serve, gpg, monkeypatch):
    monkeypatch.setattr(fetch, "FIRST_PAUSE_SECONDS", 0.01)
    shutil.copytree(DATA, tmp_path / "upstream")
    server = serve(tmp_path / "upstream")
    built = conftest.Bench(tmp_path, server.url, gpg)
    built.server = server
    built.key.write_bytes((DATA / "key.asc").read_bytes())
    built.asked = [software("gpu-driver", "3:580.1-*"), software("gpu-*", "3:580.1-*")]
    return built


def software(name, version=""):
    return conftest.software(name, version, os="rocky-9")


def order(bench, **changes):
    words = {"type": "rpm", "os": {"rocky-9": {}}, "architecture": {"amd64": "x86_64"}, **changes}
    return bench.order(upstreams=bench.upstreams(**words))


def problem(bench, **changes):
    with pytest.raises(ProblemsError) as caught:
        bench.sync(order(bench, **changes))
    assert not list(bench.to.glob("rpm/*/*/repodata"))
    return caught.value.problems


def test_the_exact_versions_and_what_they_need(bench):
    result = bench.sync(order(bench))
    assert bench.names() == [
        "gpu-driver 3:580.1-1.el9",
        "gpu-libs 3:580.1-1.el9",
        "gpu-shell 3:580.1-1.el9",
        "gpu-tool 3:580.1-1.el9",
    ]
    assert "libc.so.6()(64bit)" in result.unmet
    root = bench.to / "rpm/rocky-9/x86_64"
    summary = (root / "repodata/repomd.xml").read_bytes()
    parts = rpm_index.parts(summary)
    public = Ring((bench.to / "rackwright-mirror.asc").read_bytes())
    assert verify_detached(summary, (root / "repodata/repomd.xml.asc").read_bytes(), public) == result.signed_by
    primary = unpack.unpack(parts["primary"].path, (root / parts["primary"].path).read_bytes())
    entries = rpm_index.listing("m", primary, "x86_64", lambda text: rpm_index.parse(text, "")).all
    assert min(entry.url for entry in entries) == f"/vendor/{DRIVER}"
    assert "580-open" in unpack.unpack(parts["modules"].path, (root / parts["modules"].path).read_bytes())
    assert all((root / entry.url.lstrip("/")).stat().st_size == entry.size for entry in entries)
    assert bench.verify() == ()


def test_a_second_run_changes_nothing(bench):
    bench.sync(order(bench))
    bench.server.asked.clear()
    assert not bench.sync(order(bench)).changed
    assert bench.server.asked == []


def test_an_index_that_is_not_signed(bench):
    (bench.folder / "upstream/repodata/repomd.xml.asc").unlink()
    (result,) = problem(bench)
    assert result.found == "it is not signed"


def test_a_changed_index(bench):
    path = bench.folder / "upstream/repodata/repomd.xml"
    path.write_bytes(path.read_bytes() + b"\n")
    (result,) = problem(bench)
    assert "was changed or damaged" in result.found


def test_an_index_that_expands_entities(bench):
    path = bench.folder / "upstream/repodata/repomd.xml"
    path.write_bytes(b"<!DOCTYPE x [<!ENTITY a 'b'>]>" + path.read_bytes())
    (result,) = problem(bench, signed="packages")
    assert "document type" in result.found


def test_signed_packages_of_an_index_that_is_not(bench):
    (bench.folder / "upstream/repodata/repomd.xml.asc").unlink()
    bench.sync(order(bench, signed="packages"))
    line = lock.read_lock(bench.to).by_path[f"rpm/rocky-9/x86_64/vendor/{DRIVER}"]
    assert line.fingerprint.endswith("8710819BBCD42DB7")
    assert bench.verify() == ()
    assert not bench.sync(order(bench, signed="packages")).changed


def offer_unsigned(bench):
    root = bench.folder / "upstream"
    data = (root / "unsigned.rpm.bin").read_bytes()
    requested = "gpu-tool-580.1-1.el9.noarch.rpm"
    bench.asked = [software("gpu-tool", "3:580.1-*")]
    old = (root / requested).read_bytes()
    (root / requested).write_bytes(data)
    replace_primary(root, old, data)


def test_an_unsigned_package_is_refused(bench):
    offer_unsigned(bench)
    (result,) = problem(bench, signed="packages")
    assert result.found == "it carries no signature"
    assert result.code == "mirror.not_trusted"
    assert "software.options.base_rpm_unsigned" in result.next_step
    assert not list(bench.to.rglob("*.rpm"))


def test_a_signed_index_does_not_excuse_a_package_without_a_signature_unless_the_site_does(bench, gpg):
    offer_unsigned(bench)
    summary = bench.folder / "upstream/repodata/repomd.xml"
    summary.with_name("repomd.xml.asc").write_bytes(gpg.detach("vendor", summary.read_bytes()))
    bench.key.write_bytes(gpg.public("vendor"))
    (result,) = problem(bench)
    assert result.found == "it carries no signature"
    bench.software = conftest.SOFTWARE.model_copy(update={"options": {"base_rpm_unsigned": ["gpu-t*"]}})
    bench.sync(order(bench))
    assert bench.names() == ["gpu-tool 3:580.1-1.el9"]


def test_the_keys_of_packages_are_published_and_imported_by_rpm(bench, tmp_path):
    """The mirror's own, for packages that it builds, and of those of the upstream the accepted ones."""
    bench.key.write_bytes((DATA / "key.asc").read_bytes() + b"\n" + bench.gpg.public("other"))
    signer = rpm_package.signer(DATA / DRIVER, ring())
    accepted = {"file": str(bench.key), "fingerprints": [signer]}
    result = bench.sync(bench.order(keys={}, upstreams=order(bench, key=accepted).upstreams))
    (tmp_path / "root").mkdir()
    subprocess.run(["rpmkeys", f"--root={tmp_path}/root", "--import", str(result.rpm_keys)], check=True)
    listed = subprocess.run(["rpm", f"--root={tmp_path}/root", "-q", "gpg-pubkey", "--qf", "%{VERSION}\\n"], check=True, capture_output=True, text=True)  # fmt: skip
    assert sorted(listed.stdout.split()) == sorted(key[-8:].lower() for key in (signer, result.signed_by))


def test_an_interrupted_run_checks_what_is_there_and_does_not_fetch_it_again(bench):
    bench.sync(order(bench))
    (bench.to / "mirror.lock.json").unlink()
    for folder in bench.to.glob("rpm/*/*/repodata"):
        shutil.rmtree(folder)
    bench.server.asked.clear()
    bench.sync(order(bench))
    assert not [path for path, _ in bench.server.asked if path.endswith(".rpm")]


def replace_primary(root, old, new):
    """Makes the (unsigned) index name another file."""
    import gzip
    import hashlib

    path = next((root / "repodata").glob("*-primary.xml.gz"))
    text = gzip.decompress(path.read_bytes()).decode()
    text = text.replace(hashlib.sha256(old).hexdigest(), hashlib.sha256(new).hexdigest())
    text = text.replace(f'package="{len(old)}"', f'package="{len(new)}"', 1) if len(old) != len(new) else text
    packed = gzip.compress(text.encode())
    summary = (root / "repodata/repomd.xml").read_text()
    before = hashlib.sha256(path.read_bytes()).hexdigest()
    size = path.stat().st_size
    path.write_bytes(packed)
    summary = summary.replace(f'sha256">{before}', f'sha256">{hashlib.sha256(packed).hexdigest()}').replace(
        f"<size>{size}<", f"<size>{len(packed)}<"
    )
    (root / "repodata/repomd.xml").write_text(summary)


def ring():
    return Ring((DATA / "key.asc").read_bytes())


def test_the_signer_of_a_package():
    assert rpm_package.signer(DATA / DRIVER, ring()).endswith("8710819BBCD42DB7")


@pytest.mark.parametrize(
    ("damage", "reason"),
    [
        (lambda data: data[:-3] + bytes([data[-3] ^ 1]) + data[-2:], "its payload is not the one"),
        (lambda data: data[:-10], "its payload is not the one"),
        (lambda data: data.replace(b"gpu-driver\0", b"gpu-river!\0", 2), "was changed or damaged"),
        (lambda data: data[:300], "cut off"),
        (lambda data: b"PK" + data[2:], "no rpm package"),
        (lambda _data: (DATA / "unsigned.rpm.bin").read_bytes(), "carries no signature"),
    ],
)
def test_a_package_that_is_not_what_was_signed(tmp_path, damage, reason):
    path = tmp_path / "a.rpm"
    path.write_bytes(damage((DATA / DRIVER).read_bytes()))
    with pytest.raises(SignatureError, match=reason):
        rpm_package.signer(path, ring())


def test_a_package_signed_by_a_stranger(gpg):
    with pytest.raises(SignatureError, match="whose key was not given"):
        rpm_package.signer(DATA / DRIVER, Ring(gpg.public("vendor")))


# From rpm's own tests (rpm, tests/rpmvercmp.at).
ORDER = [
    ("1.0", "1.0", 0), ("1.0", "2.0", -1), ("2.0.1", "2.0", 1), ("2.0.1a", "2.0.1", 1), ("5.5p1", "5.5p10", -1),
    ("10xyz", "10.1xyz", -1), ("xyz10", "xyz10.1", -1), ("xyz.4", "8", -1), ("5.5p2", "5.6p1", -1), ("6.0.rc1", "6.0", 1),
    ("10b2", "10a1", 1), ("1.0aa", "1.0a", 1), ("10.0001", "10.1", 0), ("4.999.9", "5.0", -1), ("20101121", "20101122", -1),
    ("2_0", "2.0", 0), ("a+", "a_", 0), ("1.0~rc1", "1.0", -1), ("1.0~rc1", "1.0~rc2", -1), ("1.0~rc1~git123", "1.0~rc1", -1),
    ("1.0^", "1.0", 1), ("1.0^git1", "1.0^git2", -1), ("1.0^git1", "1.01", -1), ("1.0^20160101", "1.0.1", -1),
    ("1.0~rc1^git1", "1.0~rc1", 1), ("1:1.0", "2.0", 1), ("3:580.1-1.el9", "3:580.1-1.el9", 0), ("580.1-2", "580.1-1", 1), ("580.1", "580.1-1", 0),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second", "order"), ORDER)
def test_the_order_of_versions(first, second, order):
    assert rpm_index.compare_versions(first, second) == order
    assert rpm_index.compare_versions(second, first) == -order


def test_a_module_stream(bench):
    bench.asked.append(software("@gpu-driver:580-open"))
    bench.sync(order(bench))
    bench.upstreams(type="rpm")
    places = mirror.MirrorPaths(mirror.load_upstreams(), None, "http://m", "")
    assert mirror.verify_mirror(bench.to, bench.groups(), places, lambda *_event: None).problems == ()
    bench.server.asked.clear()
    assert not bench.sync(order(bench)).changed
    assert bench.server.asked == []
    bench.asked.append(software("@gpu-driver:590-open"))
    with pytest.raises(ProblemsError) as caught:
        bench.sync(order(bench))
    assert caught.value.problems[0].found == "@gpu-driver:580-open"
    (result,) = mirror.verify_mirror(bench.to, bench.groups(), places, lambda *_event: None).problems
    assert result.path == "r.@gpu-driver:590-open"


def test_a_damaged_repository_is_said_and_made_again(bench):
    bench.sync(order(bench))
    for path in (bench.to / "rpm/rocky-9/x86_64/repodata").glob("*-primary.xml.gz"):
        path.write_bytes(path.read_bytes()[:-7])
    assert "an index is not the one that is signed" in {entry.message for entry in bench.verify()}
    bench.sync(order(bench))
    assert bench.verify() == ()


RICH = '<package type="rpm"><name>a</name><arch>noarch</arch><version epoch="0" ver="1" rel="2"/><checksum type="sha256">x</checksum><size package="1"/><location href="a.rpm"/><format><rpm:requires>{}</rpm:requires></format></package>'


@pytest.mark.parametrize(
    ("requires", "needs"),
    [
        ('<rpm:entry name="b" flags="GE" ver="1" epoch="2" rel="3"/>', [["b (>= 2:1-3)"]]),
        ('<rpm:entry name="(b or c &gt;= 2)"/>', [["b", "c (>= 2)"]]),
        ('<rpm:entry name="(b and c)"/>', [["b"], ["c"]]),
        ('<rpm:entry name="(b &gt; 1 if c)"/>', [["b (>> 1)"]]),
        ('<rpm:entry name="rpmlib(X)"/><rpm:entry name="config(a)"/>', []),
        ('<rpm:entry name="libc.so.6(A)(64bit)"/>', [["libc.so.6(A)(64bit)"]]),
    ],
)
def test_what_a_package_needs(requires, needs):
    offer = rpm_index.parse(RICH.format(requires), "")
    assert [[str(entry) for entry in group] for group in offer.needs] == needs
    assert offer.version == "1-2"
