"""Raw outputs come back as they were put, whatever their size, and missing or changed ones are refused."""

import random

import pytest

from rackwright.collect.store.objects import NOTHING, WINDOW, ObjectFolder


@pytest.mark.parametrize("size", [0, 1, WINDOW - 1, WINDOW, 3 * WINDOW + 1])
def test_bytes_come_back_in_any_size(tmp_path, size):
    noise, plain = random.Random(size).randbytes(size), b"a" * size
    objects = ObjectFolder(tmp_path)
    assert [objects.get(name) for name in objects.put_all([noise, plain])] == [noise, plain]


def test_nothing_needs_no_file(tmp_path):
    assert ObjectFolder(tmp_path).get(NOTHING) == b""


def test_a_file_that_was_cut_off_is_refused(tmp_path):
    name = ObjectFolder(tmp_path).put(random.Random(0).randbytes(3 * WINDOW))
    file = tmp_path / name[:2] / f"{name}.gz"
    file.write_bytes(file.read_bytes()[: 2 * WINDOW])
    with pytest.raises(ValueError, match="cannot be read"):
        ObjectFolder(tmp_path).get(name)


def test_a_folder_in_its_place_is_refused(tmp_path):
    name = "ab" * 32
    (tmp_path / "ab" / f"{name}.gz").mkdir(parents=True)
    with pytest.raises(ValueError, match="cannot be read"):
        ObjectFolder(tmp_path).get(name)


def test_what_is_no_hash_is_no_path(tmp_path):
    with pytest.raises(ValueError, match="is not a hash"):
        ObjectFolder(tmp_path).get("../secret")


@pytest.mark.parametrize("spoiled", [b"", b"something else", None])
def test_what_was_spoiled_is_whole_again_when_a_machine_says_the_same_again(tmp_path, spoiled):
    name = ObjectFolder(tmp_path).put(b"the same on every node")
    file = tmp_path / name[:2] / f"{name}.gz"
    reopened = ObjectFolder(tmp_path).put(b"something else")
    file.write_bytes((tmp_path / reopened[:2] / f"{reopened}.gz").read_bytes() if spoiled is None else spoiled)
    assert ObjectFolder(tmp_path).put(b"the same on every node") == name
    assert ObjectFolder(tmp_path).get(name) == b"the same on every node"


def test_what_is_there_is_not_written_again(tmp_path):
    name = ObjectFolder(tmp_path).put(b"the same on every node")
    file = tmp_path / name[:2] / f"{name}.gz"
    before = file.stat().st_ino
    ObjectFolder(tmp_path).put(b"the same on every node")
    assert file.stat().st_ino == before
