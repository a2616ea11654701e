"""Locks of account files that a killed useradd left: they stop every package that makes an account."""

from __future__ import annotations

import os
import time

import pytest

HOUR = 3600.0


class Act:
    def __init__(self, *, check: bool = False) -> None:
        self.check = check
        self.changes: list[str] = []

    def changed(self, what, before="", after=""):
        self.changes.append(what)


@pytest.fixture
def drop(host_module):
    return host_module("rackwright_accounts").drop_dead_locks


def lock(folder, owner, age=0.0):
    path = folder / "passwd.lock"
    path.write_bytes(f"{owner}\0".encode())  # as shadow writes it: with the zero byte of the string
    os.utime(path, (time.time() - age,) * 2)
    return path


def test_a_lock_older_than_the_process_with_its_number_is_removed(drop, tmp_path):
    path, act = lock(tmp_path, os.getpid(), age=1000 * HOUR), Act()
    drop(act, str(tmp_path))
    assert not path.exists()
    assert act.changes == [f"lock {path} of a program that was killed"]


def test_the_lock_of_a_process_that_took_it_itself_stays(drop, tmp_path):
    path, act = lock(tmp_path, os.getpid()), Act()
    drop(act, str(tmp_path))
    assert (path.exists(), act.changes) == (True, [])


def test_shadow_removes_a_lock_whose_owner_is_gone_by_itself(drop, tmp_path):
    path, act = lock(tmp_path, 2**22 + 1, age=HOUR), Act()
    drop(act, str(tmp_path))
    assert (path.exists(), act.changes) == (True, [])


@pytest.mark.parametrize("owner", ["", "no number", "-1"])
def test_what_is_no_lock_of_shadow_stays(drop, tmp_path, owner):
    path, act = lock(tmp_path, owner, age=HOUR), Act()
    drop(act, str(tmp_path))
    assert (path.exists(), act.changes) == (True, [])


def test_a_check_reports_it_and_removes_nothing(drop, tmp_path):
    path, act = lock(tmp_path, os.getpid(), age=1000 * HOUR), Act(check=True)
    drop(act, str(tmp_path))
    assert path.exists()
    assert act.changes
