"""A mirror as it lies there: whole, and with every kind of damage."""

import shutil

import pytest

from rackwright.base.errors import UsageError
from rackwright.mirror import lock

from . import conftest

DRIVER = "pool/debian-12/vendor/driver_1.0-1_amd64.deb"


@pytest.fixture
def synced(bench):
    bench.sync()
    return bench


def messages(bench, **more):
    return {problem.place: problem.message for problem in bench.verify(**more)}


def test_whole(synced):
    assert synced.verify(site=True) == ()


def test_a_copy_without_its_working_folder_is_whole(synced):
    shutil.copytree(synced.to, synced.folder / "copy", ignore=shutil.ignore_patterns(".sync"))
    synced.to = synced.folder / "copy"
    assert synced.verify(site=True) == ()


def test_no_mirror(bench):
    bench.to.mkdir()
    with pytest.raises(UsageError, match="is no mirror"):
        bench.verify()


def test_everything_at_once(synced):
    data = bytearray((synced.to / DRIVER).read_bytes())
    data[-1] ^= 1
    (synced.to / DRIVER).write_bytes(data)
    (synced.to / "pool/debian-12/vendor/lib_1.0-1_amd64.deb").unlink()
    tool = synced.to / "pool/debian-12/vendor/tool_3.5-1_amd64.deb"
    tool.write_bytes(tool.read_bytes()[:-1])
    (synced.to / "dists/stable/InRelease").write_text("-----BEGIN PGP SIGNED MESSAGE-----\n")
    problems = synced.verify()
    assert [entry.message.split(" that")[0] for entry in problems] == [
        "the index cannot be trusted",
        "the file is not the one",
        "the file is missing",
        "the file is not the one",
    ]
    assert all(entry.next_step for entry in problems)


def test_an_index_that_lists_more(synced, monkeypatch):
    path = synced.to / "mirror.lock.json"
    path.write_text("\n".join(line for line in path.read_text().splitlines() if '"other-extra"' not in line))
    assert [problem.message for problem in synced.verify()] == [
        "an index of debian-12 lists what the lock does not name"
    ]


def test_an_index_that_lists_less(synced):
    before = synced.to / "dists"
    shutil.copytree(before, synced.folder / "dists")
    synced.asked.append(conftest.software("unrelated", "1"))
    synced.sync()
    shutil.rmtree(before)
    shutil.copytree(synced.folder / "dists", before)
    assert messages(synced) == {
        "pool/debian-12/vendor/unrelated_1_amd64.deb": "no index of debian-12 lists this package with its digest"
    }


def test_an_index_changed_after_it_was_signed(synced):
    path = synced.to / "dists/debian-12/main/binary-amd64/Packages"
    path.write_bytes(path.read_bytes().replace(b"Depends", b"Suggests"))
    result = messages(synced)
    assert result["dists/debian-12/main/binary-amd64/Packages"] == "an index is not the one that is signed"


def test_an_index_signed_by_a_stranger(synced):
    path = synced.to / "dists/debian-12"
    text = (path / "Release").read_bytes()
    (path / "InRelease").write_bytes(synced.gpg.clearsign("other", text))
    assert "whose key was not given" in synced.verify()[0].found


def test_a_public_key_that_was_exchanged(synced):
    """Everything is signed by a stranger, whose key lies in the mirror: the lock names another."""
    for suite in (synced.to / "dists").iterdir():
        text = (suite / "Release").read_bytes()
        (suite / "InRelease").write_bytes(synced.gpg.clearsign("other", text))
        (suite / "Release.gpg").write_bytes(synced.gpg.detach("other", text))
    (synced.to / "rackwright-mirror.asc").write_bytes(synced.gpg.public("other"))
    problems = synced.verify()
    assert {entry.place for entry in problems} >= {"dists/debian-12", "dists/stable"}
    assert "not a key that is accepted" in problems[0].found


def test_no_public_key(synced):
    (synced.to / "rackwright-mirror.asc").unlink()
    assert messages(synced) == {"rackwright-mirror.asc": "the public key of the mirror cannot be read"}


def test_what_a_site_asks_for_and_the_mirror_lacks(synced):
    synced.asked += [conftest.software("unrelated", "1"), conftest.software("tool", "1:2.0-*")]
    assert synced.verify() == ()
    problems = {problem.path: problem for problem in synced.verify(site=True)}
    assert problems["r.unrelated"].found == "none of that name"
    assert problems["r.tool"].found == "1:3.5-1"
    assert problems["r.tool"].expected == "tool 1:2.0-*"


def test_a_lock_without_its_file_is_not_enough(synced):
    (synced.to / DRIVER).unlink()
    assert [problem.path for problem in synced.verify(site=True)] == ["", "r.driver"] or {
        problem.code for problem in synced.verify(site=True)
    } == {"mirror.damaged", "mirror.lacking"}
    assert lock.read_lock(synced.to) is not None
