"""Files that somebody reads later are whole: the old one, or the new one."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import BinaryIO

import pytest

from rackwright.base.durable_file import create_file, replace_file, replacing, secret_file


def test_the_new_content_replaces_the_old_and_the_mode_stays(tmp_path: Path) -> None:
    path = tmp_path / "waivers.yaml"
    path.write_text("old")
    path.chmod(0o640)
    replace_file(path, "néw")
    assert (path.read_text(encoding="utf-8"), path.stat().st_mode & 0o777) == ("néw", 0o640)
    assert [file.name for file in tmp_path.iterdir()] == ["waivers.yaml"]


def test_a_new_file_has_the_mode_that_was_asked_for(tmp_path: Path) -> None:
    replace_file(tmp_path / "munge.key", b"secret", 0o600)
    assert (tmp_path / "munge.key").stat().st_mode & 0o777 == 0o600


def test_a_writer_that_fails_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "judgement.json"
    path.write_text("old")
    with pytest.raises(OSError, match="No space left"), replacing(path) as stream:
        _fill_the_disk(stream)
    assert path.read_text() == "old"
    assert [file.name for file in tmp_path.iterdir()] == ["judgement.json"]


def _fill_the_disk(stream: BinaryIO) -> None:
    stream.write(b"ne")
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("write", [replace_file, create_file])
def test_what_a_killed_writer_began_is_written_over(tmp_path: Path, write: Callable[[Path, str], None]) -> None:
    (tmp_path / ".site.yaml.new").write_text("half of a much longer text")
    write(tmp_path / "site.yaml", "whole")
    assert (tmp_path / "site.yaml").read_text() == "whole"
    assert [file.name for file in tmp_path.iterdir()] == ["site.yaml"]


def test_a_link_stays_and_its_file_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("file")
    replace_file(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == "new"


def test_a_device_is_written_to_and_stays() -> None:
    replace_file(Path("/dev/null"), "gone")
    assert Path("/dev/null").is_char_device()


def test_a_file_that_is_there_is_not_created_again(tmp_path: Path) -> None:
    create_file(tmp_path / "learned.yaml", "first")
    with pytest.raises(FileExistsError):
        create_file(tmp_path / "learned.yaml", "second")
    assert (tmp_path / "learned.yaml").read_text() == "first"
    assert [file.name for file in tmp_path.iterdir()] == ["learned.yaml"]


def test_runs_at_the_same_time_get_the_same_secret_which_its_owner_alone_may_read(tmp_path: Path) -> None:
    path = tmp_path / "secrets" / "key"
    makers = threading.Barrier(2)

    def fresh() -> bytes:
        makers.wait(10)  # neither has seen the file of the other
        return secrets.token_bytes(32)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(lambda _: secret_file(path, fresh), range(2))
    assert first == second == secret_file(path, lambda: b"another")
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["key"]
