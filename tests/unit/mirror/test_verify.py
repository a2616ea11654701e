"""A mirror as it lies there: whole, and with every kind of damage."""

import shutil

import pytest

from rackwright.base.errors import UsageError
from rackwright.mirror import lock

from . import conftest

DRIVER = "pool/debian-12/vendor/driver_1.0-1_amd64.deb"


@pytest.fixture
def whole(bench):
    bench.sync()
    return bench


def messages(bench, **more):
    return {one.place: one.message for one in bench.verify(**more)}


def test_whole(whole):
    assert whole.verify(site=True) == ()


def test_a_copy_without_its_working_folder_is_whole(whole):
    shutil.copytree(whole.to, whole.folder / "copy", ignore=shutil.ignore_patterns(".sync"))
    whole.to = whole.folder / "copy"
    assert whole.verify(site=True) == ()


def test_no_mirror(bench):
    bench.to.mkdir()
    with pytest.raises(UsageError, match="is no mirror"):
        bench.verify()


def test_everything_at_once(whole):
    data = bytearray((whole.to / DRIVER).read_bytes())
    data[-1] ^= 1
    (whole.to / DRIVER).write_bytes(data)
    (whole.to / "pool/debian-12/vendor/lib_1.0-1_amd64.deb").unlink()
    tool = whole.to / "pool/debian-12/vendor/tool_3.5-1_amd64.deb"
    tool.write_bytes(tool.read_bytes()[:-1])
    (whole.to / "dists/stable/InRelease").write_text("-----BEGIN PGP SIGNED MESSAGE-----\n")
    found = whole.verify()
    assert [one.message.split(" that")[0] for one in found] == [
        "the index cannot be trusted",
        "the file is not the one",
        "the file is missing",
        "the file is not the one",
    ]
    assert all(one.next_step for one in found)


def test_an_index_that_lists_more(whole, monkeypatch):
    path = whole.to / "mirror.lock.json"
    path.write_text("\n".join(line for line in path.read_text().splitlines() if '"other-extra"' not in line))
    assert [one.message for one in whole.verify()] == ["an index of debian-12 lists what the lock does not name"]


def test_an_index_that_lists_less(whole):
    before = whole.to / "dists"
    shutil.copytree(before, whole.folder / "dists")
    whole.asked.append(conftest.wanted("unrelated", "1"))
    whole.sync()
    shutil.rmtree(before)
    shutil.copytree(whole.folder / "dists", before)
    assert messages(whole) == {
        "pool/debian-12/vendor/unrelated_1_amd64.deb": "no index of debian-12 lists this package with its digest"
    }


def test_an_index_changed_after_it_was_signed(whole):
    path = whole.to / "dists/debian-12/main/binary-amd64/Packages"
    path.write_bytes(path.read_bytes().replace(b"Depends", b"Suggests"))
    found = messages(whole)
    assert found["dists/debian-12/main/binary-amd64/Packages"] == "an index is not the one that is signed"


def test_an_index_signed_by_a_stranger(whole):
    path = whole.to / "dists/debian-12"
    text = (path / "Release").read_bytes()
    (path / "InRelease").write_bytes(whole.gpg.clearsign("other", text))
    assert "whose key was not given" in whole.verify()[0].found


def test_a_public_key_that_was_exchanged(whole):
    """Everything is signed by a stranger, whose key lies in the mirror: the lock names another."""
    for suite in (whole.to / "dists").iterdir():
        text = (suite / "Release").read_bytes()
        (suite / "InRelease").write_bytes(whole.gpg.clearsign("other", text))
        (suite / "Release.gpg").write_bytes(whole.gpg.detach("other", text))
    (whole.to / "rackwright-mirror.asc").write_bytes(whole.gpg.public("other"))
    found = whole.verify()
    assert {one.place for one in found} >= {"dists/debian-12", "dists/stable"}
    assert "not a key that is accepted" in found[0].found


def test_no_public_key(whole):
    (whole.to / "rackwright-mirror.asc").unlink()
    assert messages(whole) == {"rackwright-mirror.asc": "the public key of the mirror cannot be read"}


def test_what_a_site_asks_for_and_the_mirror_lacks(whole):
    whole.asked += [conftest.wanted("unrelated", "1"), conftest.wanted("tool", "1:2.0-*")]
    assert whole.verify() == ()
    found = {one.path: one for one in whole.verify(site=True)}
    assert found["r.unrelated"].found == "none of that name"
    assert found["r.tool"].found == "1:3.5-1"
    assert found["r.tool"].expected == "tool 1:2.0-*"


def test_a_lock_without_its_file_is_not_enough(whole):
    (whole.to / DRIVER).unlink()
    assert [one.path for one in whole.verify(site=True)] == ["", "r.driver"] or {
        one.code for one in whole.verify(site=True)
    } == {"mirror.damaged", "mirror.lacking"}
    assert lock.read(whole.to) is not None
