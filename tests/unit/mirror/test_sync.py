"""The mirror filled from a real apt repository on loopback: what comes, what stays, and every way it can go wrong."""

import hashlib
import json
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from rackwright.base.errors import OutsideError, ProblemsError, UsageError
from rackwright.mirror import lock
from rackwright.mirror.signature import Ring, SignatureError, read_clearsigned
from tests.patience import PATIENCE, until
from tests.rotation import of_this_run

from . import conftest

DRIVER = "pool/driver_1.0-1_amd64.deb"


def problem(bench, **more):
    with pytest.raises(ProblemsError) as caught:
        bench.sync(**more)
    assert not (bench.to / "dists").exists()
    assert not (bench.to / "mirror.lock.json").exists()
    return caught.value.problems


def test_the_exact_versions_and_what_they_need(bench):
    result = bench.sync()
    assert bench.names() == ["driver 1.0-1", "lib 1.0-1", "other-extra 7", "tool 1:3.5-1"]
    assert dict(result.unmet) == {"libc6 (>= 2.36)": "lib"}
    assert result.changed
    assert bench.verify(site=True) == ()
    line = lock.read_lock(bench.to).by_path["pool/debian-12/vendor/driver_1.0-1_amd64.deb"]
    assert line.fingerprint == bench.gpg.prints["vendor"]
    assert line.upstream == "vendor"
    assert line.url == f"{bench.url}/{DRIVER}"
    assert line.asked_by == ("train/r",)
    assert (bench.to / "dists/stable/InRelease").is_file()
    assert (bench.to / "dists/debian-12/InRelease").is_file()


def test_the_secret_key_is_not_in_the_folder_that_is_served(bench):
    bench.sync()
    assert (bench.folder / "mirror-secrets/gnupg").stat().st_mode & 0o777 == 0o700
    assert not [path for path in bench.to.rglob("*") if "gnupg" in str(path) or "private" in str(path)]


def test_a_second_run_changes_nothing_and_needs_no_upstream(bench):
    bench.sync()
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in bench.to.rglob("*") if path.is_file()}
    bench.server.faults = {
        f"/{path.relative_to(bench.repository.root)}": lambda request: request.answer(500, b"") or True
        for path in bench.repository.root.rglob("*")
    }
    bench.server.asked.clear()
    result = bench.sync()
    after = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in bench.to.rglob("*") if path.is_file()}
    assert not result.changed
    assert before == after
    assert bench.server.asked == []
    assert dict(result.unmet) == {"libc6 (>= 2.36)": "lib"}


def test_what_is_there_stays_until_an_upgrade_is_asked_for(bench):
    bench.asked = [conftest.software("tool", "1:*")]
    bench.repository.build(drop=("tool_3.5-1",))
    bench.sync()
    assert bench.names() == ["tool 1:2.0-1"]
    bench.repository.build()
    assert not bench.sync().changed
    bench.sync(upgrade=True)
    assert bench.names() == ["other-extra 7", "tool 1:3.5-1"]
    assert bench.verify(site=True) == ()


def test_files_that_nothing_asks_for_are_removed_on_request_alone(bench):
    bench.sync()
    bench.asked = [conftest.software("tool", "1:3.5-*")]
    result = bench.sync()
    gone = bench.to / "pool/debian-12/vendor/driver_1.0-1_amd64.deb"
    assert str(gone.relative_to(bench.to)) in result.stray
    assert gone.exists()
    assert bench.verify() == ()
    bench.sync(prune=True)
    assert not gone.exists()
    assert bench.verify() == ()
    assert bench.sync().stray == ()


def test_two_pools_at_two_releases(bench):
    bench.asked += [
        conftest.software("driver", "2.0-*", pool="serve"),
        conftest.software("lib*", "2.0-*", pool="serve"),
    ]
    bench.sync()
    assert {"driver 1.0-1", "driver 2.0-1", "lib 1.0-1", "lib 2.0-1"} <= set(bench.names())


def test_a_pin_that_a_dependency_breaks_is_said(bench):
    bench.asked = [conftest.software("driver", "2.0-*"), conftest.software("lib*", "1.0-*")]
    (result,) = problem(bench)
    assert result.code == "mirror.pinned_away"
    assert result.expected == "lib (= 2.0-1)"


def test_a_version_that_nobody_carries(bench):
    bench.asked = [conftest.software("driver", "3.*"), conftest.software("no-such-thing", "")]
    by_name = {entry.path: entry for entry in problem(bench)}
    assert by_name["r.driver"].found == "versions 2.0-1, 1.0-1"
    assert by_name["r.no-such-thing"].found == "looked in: mirror, vendor"


def test_a_transfer_that_breaks_off_is_continued(bench):
    data = (bench.repository.root / DRIVER).read_bytes()
    state = {"left": 1}

    def cut(handler):
        if state["left"]:
            state["left"] -= 1
            handler.answer(200, data[:5000], length=len(data))
            return True
        return False

    bench.server.faults[f"/{DRIVER}"] = cut
    result = bench.sync()
    assert [wish for path, wish in bench.server.asked if path == f"/{DRIVER}"] == ["", "bytes=5000-"]
    assert result.fetched == 4
    assert bench.verify() == ()


def test_a_truncated_file(bench):
    data = (bench.repository.root / DRIVER).read_bytes()
    bench.server.faults[f"/{DRIVER}"] = lambda request: (
        request.answer(
            206 if request.headers.get("Range") else 200, b"" if request.headers.get("Range") else data[:-100]
        )
        or True
    )
    (result,) = problem(bench)
    assert result.path == "driver"
    assert "ended after" in result.found


def test_a_file_with_another_digest(bench):
    data = bytearray((bench.repository.root / DRIVER).read_bytes())
    data[-1] ^= 1
    bench.server.faults[f"/{DRIVER}"] = lambda request: request.answer(200, bytes(data)) or True
    (result,) = problem(bench)
    assert result.code == "mirror.wrong_digest"
    assert not list(bench.to.glob("pool/*/*/driver*"))
    assert not list((bench.to / ".sync/partial").iterdir())
    bench.server.faults.clear()
    assert bench.sync().fetched == 1


def test_all_that_is_missing_is_said_at_once_and_what_came_stays(bench):
    for name in (DRIVER, "pool/lib_1.0-1_amd64.deb"):
        bench.server.faults[f"/{name}"] = lambda request: request.answer(404, b"") or True
    problems = problem(bench)
    assert [entry.path for entry in problems] == ["driver", "lib"]
    assert {entry.code for entry in problems} == {"mirror.not_there"}
    bench.server.faults.clear()
    bench.server.asked.clear()
    assert bench.sync().fetched == 2
    assert not [path for path, _ in bench.server.asked if "tool" in path]


def test_a_broken_upstream_is_asked_again(bench):
    state = {"left": 3}

    def busy(handler):
        state["left"] -= 1
        return state["left"] >= 0 and (handler.answer(503, b"") or True)

    bench.server.faults["/dists/stable/InRelease"] = busy
    assert bench.sync().fetched == 4


def test_an_upstream_that_is_down(bench):
    bench.server.stop()
    (result,) = problem(bench)
    assert result.code == "mirror.upstream_down"
    assert result.place == "upstream vendor"
    bench.server.stop = lambda: None


def test_an_expired_key(bench):
    bench.repository.build(signer="old")
    bench.key.write_bytes(bench.gpg.public("old"))
    (result,) = problem(bench)
    assert result.code == "mirror.not_trusted"
    assert result.found == f"its key {bench.gpg.prints['old']} expired on 2026-07-01"


def test_a_key_that_was_not_given(bench):
    bench.repository.build(signer="other")
    (result,) = problem(bench)
    assert "whose key was not given" in result.found


def test_a_key_that_is_not_accepted(bench):
    both = bench.folder / "both.asc"
    both.write_bytes(bench.gpg.public("vendor", "other"))
    bench.repository.build(signer="other")
    key = {"file": str(both), "fingerprints": [bench.gpg.prints["vendor"]]}
    (result,) = problem(bench, order=bench.order(upstreams=bench.upstreams(key=key), keys={}))
    assert "not a key that is accepted" in result.found


def test_a_fetched_key_is_known_by_its_fingerprint(bench):
    (bench.repository.root / "key.asc").write_bytes(bench.gpg.public("vendor"))
    key = {"url": f"{bench.url}/key.asc", "fingerprints": [bench.gpg.prints["vendor"]]}
    bench.sync(order=bench.order(upstreams=bench.upstreams(key=key), keys={}))
    assert lock.read_lock(bench.to).by_path["keys/vendor.asc"].url == f"{bench.url}/key.asc"


def test_a_key_without_fingerprint_must_be_given(bench):
    key = {"url": f"{bench.url}/key.asc"}
    (result,) = problem(bench, order=bench.order(upstreams=bench.upstreams(key=key), keys={}))
    assert result.code == "mirror.no_key"
    assert "--key vendor=FILE" in result.next_step


def test_an_unsigned_index(bench):
    bench.repository.build(signer="")
    (result,) = problem(bench)
    assert result.found == "it is not signed"
    assert result.code == "mirror.not_trusted"


def test_a_changed_index(bench):
    path = bench.repository.suite / "InRelease"
    path.write_text(path.read_text().replace("Origin: v", "Origin: w"))
    (result,) = problem(bench)
    assert "was changed or damaged" in result.found


def test_a_changed_list_of_packages(bench):
    for name in ("Packages", "Packages.gz"):
        path = bench.repository.suite / "main/binary-amd64" / name
        data = bytearray(path.read_bytes())
        data[-1] ^= 1
        path.write_bytes(bytes(data))
    (result,) = problem(bench)
    assert result.code == "mirror.wrong_digest"


def test_release_and_its_signature_are_enough(bench):
    (bench.repository.suite / "InRelease").unlink()
    assert bench.sync().fetched == 4


def test_an_index_past_its_time(bench):
    bench.repository.build(extra="Valid-Until: Fri, 20 Nov 2026 00:00:00 UTC\n")
    (result,) = problem(bench)
    assert result.found == "it was valid until 2026-11-20 00:00 UTC, and it is 2026-11-21 12:00 UTC"


def test_an_index_in_its_time(bench):
    bench.repository.build(extra="Valid-Until: Sun, 22 Nov 2026 00:00:00 UTC\n")
    assert bench.sync().fetched == 4


def test_a_suite_that_is_not_there(bench):
    (result,) = problem(bench, order=bench.order(upstreams=bench.upstreams(suites=["testing"])))
    assert result.code == "mirror.not_there"


def test_an_architecture_that_is_not_there(bench):
    bench.asked = [conftest.software("driver", "1.0-*", architecture="arm64")]
    order = bench.order(upstreams=bench.upstreams(architecture={"arm64": "arm64"}))
    (result,) = problem(bench, order=order)
    assert result.found == "architectures: amd64"


def test_no_room(bench, monkeypatch):
    monkeypatch.setattr("shutil.disk_usage", lambda _path: type("Usage", (), {"free": 1000})())
    with pytest.raises(OutsideError, match="make room"):
        bench.sync()


def test_the_folder_of_another_site(bench):
    bench.sync()
    path = bench.to / "mirror.lock.json"
    path.write_text(path.read_text().replace('"lab"', '"fab"'))
    with pytest.raises(UsageError, match="mirror of fab"):
        bench.sync()


def test_a_lock_that_is_none(bench):
    bench.sync()
    (bench.to / "mirror.lock.json").write_text("{")
    with pytest.raises(ProblemsError, match="cannot be read"):
        bench.sync()


def test_a_host_in_fips_mode_reads_the_mirror(bench, monkeypatch):
    """libgcrypt in that mode refuses Ed25519, which the key of the test's vendor shows."""
    bench.sync()
    by_ed25519, its_key = bench.gpg.clearsign("vendor", b"a\n"), Ring(bench.gpg.public("vendor"))
    monkeypatch.setenv("LIBGCRYPT_FORCE_FIPS_MODE", "1")
    index = (bench.to / "dists/stable/InRelease").read_bytes()
    _, signed_by = read_clearsigned(index, Ring((bench.to / "rackwright-mirror.asc").read_bytes()))
    assert signed_by == lock.read_lock(bench.to).signed_by
    with pytest.raises(SignatureError):
        read_clearsigned(by_ed25519, its_key)


def test_a_key_of_the_operator_signs(bench, monkeypatch):
    monkeypatch.setenv("GNUPGHOME", str(bench.gpg.home))
    result = bench.sync(sign_key=bench.gpg.prints["other"])
    assert result.signed_by == bench.gpg.prints["other"]
    assert not (bench.folder / "mirror-secrets").exists()
    assert bench.verify() == ()
    with pytest.raises(UsageError, match="gpg knows no such key"):
        bench.sync(sign_key="nobody@nowhere")


def test_another_key_signs_everything_anew(bench, monkeypatch):
    monkeypatch.setenv("GNUPGHOME", str(bench.gpg.home))
    bench.sync(sign_key=bench.gpg.prints["other"])
    result = bench.sync(sign_key=bench.gpg.prints["vendor"])
    assert {"dists/debian-12", "dists/stable", "mirror.lock.json"} == set(result.published)
    assert bench.verify() == ()


def test_the_lock_says_everything_and_nothing_of_today(bench):
    bench.sync()
    document = json.loads((bench.to / "mirror.lock.json").read_text())
    assert document["site"] == "lab"
    assert {"path", "url", "size", "sha256"} <= set(document["artifacts"][0])
    assert not re.search(r"\b20\d\d-\d\d", json.dumps(document))


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, {here!r})
import importlib.util
spec = importlib.util.spec_from_file_location("bench", {conftest!r}); module = importlib.util.module_from_spec(spec); spec.loader.exec_module(module)
from rackwright import mirror
order = mirror.SyncOptions(Path({to!r}), mirror.load_upstreams(Path({upstreams!r})), {{"vendor": Path({key!r})}})
groups = mirror.group_required([module.software("driver", "1.0-*"), module.software("lib*", "1.0-*")], module.SOFTWARE.bill)
mirror.sync_mirror("lab", module.SOFTWARE, groups, order, lambda *_event: None, module.NOW)
"""


def test_killed_halfway_the_next_run_goes_on(bench):
    data = (bench.repository.root / DRIVER).read_bytes()

    killed = threading.Event()

    def stall(handler):
        handler.answer(200, data[:7000], length=len(data))
        handler.wfile.flush()
        killed.wait(2 * PATIENCE)
        return True

    bench.server.faults[f"/{DRIVER}"] = stall
    bench.upstreams()
    script = SCRIPT.format(
        here=str(Path.cwd()), conftest=conftest.__file__, to=str(bench.to), upstreams=str(bench.folder / "upstreams.yaml"),
        key=str(bench.key),
    )  # fmt: skip
    running = subprocess.Popen([sys.executable, "-c", script])
    partial = bench.to / ".sync/partial" / hashlib.sha256(data).hexdigest()

    def begun():
        assert running.poll() is None
        return partial.exists() and partial.stat().st_size == 7000

    until(begun)
    running.send_signal(signal.SIGKILL)
    running.wait()
    killed.set()
    assert not (bench.to / "dists").exists()
    assert not (bench.to / "pool/debian-12/vendor/driver_1.0-1_amd64.deb").exists()
    bench.server.faults.clear()
    bench.server.asked.clear()
    bench.sync()
    assert [wish for path, wish in bench.server.asked if path == f"/{DRIVER}"] == ["bytes=7000-"]
    assert bench.verify(site=True) == ()


@pytest.mark.parametrize(
    "name", ["InRelease", "Release", "Release.gpg", "main/binary-amd64/Packages", "main/binary-amd64/Packages.gz"]
)
@pytest.mark.parametrize(
    "damage", of_this_run([Path.unlink, lambda path: path.write_bytes(path.read_bytes()[:-60])], 1)
)
def test_a_damaged_index_of_the_mirror_is_made_again(bench, name, damage):
    bench.sync()
    damage(bench.to / "dists/debian-12" / name)
    assert bench.verify() != ()
    bench.sync()
    assert bench.verify() == ()


def test_names_that_must_be_quoted(bench):
    """Debian's epochs and build numbers: apt asks for ``%252b`` where the file is called ``%2b``, and so do we."""
    bench.asked = [conftest.software("odd", "1:1+*")]
    bench.sync()
    assert [path.name for path in (bench.to / "pool/debian-12/vendor").iterdir()] == ["odd_1%3a1+b~c-1_amd64.deb"]
    assert bench.verify(site=True) == ()
    assert not bench.sync().changed
