import stat

import pytest

from rackwright.base.errors import OutsideError
from rackwright.onboard import munge


def test_the_key_is_made_once_and_only_its_owner_can_read_it(workspace):
    path = munge.munge_key(workspace)
    first = path.read_bytes()
    assert len(first) == 128
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert munge.munge_key(workspace).read_bytes() == first


def test_two_sites_have_two_keys(tmp_path, workspace):
    second = type(workspace)(tmp_path / "other")
    assert munge.munge_key(workspace).read_bytes() != munge.munge_key(second).read_bytes()


def test_a_key_that_others_could_read_is_closed_again(workspace):
    path = munge.munge_key(workspace)
    path.chmod(0o644)
    assert stat.S_IMODE(munge.munge_key(workspace).stat().st_mode) == 0o600


def test_a_broken_key_is_not_replaced(workspace):
    munge.munge_key(workspace).write_bytes(b"short")
    with pytest.raises(OutsideError, match="no munge key"):
        munge.munge_key(workspace)
    assert (workspace.folder("secrets") / "munge.key").read_bytes() == b"short"


def test_an_interrupted_attempt_leaves_no_half_a_key(workspace):
    (workspace.folder("secrets") / ".munge.key.new").write_bytes(b"half")
    assert len(munge.munge_key(workspace).read_bytes()) == 128
