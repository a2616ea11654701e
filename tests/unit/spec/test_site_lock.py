"""The lock beside a site file: the key of the mirror, by digest."""

import hashlib

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.spec import site_lock


def test_the_key_of_the_mirror_is_pinned_and_a_change_is_told(tmp_path):
    site, key = tmp_path / "site.yaml", tmp_path / "key.asc"
    assert site_lock.read_lock(site) is None
    locks = [None]
    for content in (b"one key", b"another key"):
        key.write_bytes(content)
        locks.append(site_lock.SiteLock(mirror_key_sha256=hashlib.sha256(content).hexdigest()))
        assert site_lock.pin_keys(site, key) == (locks[-2], locks[-1])
        assert site_lock.read_lock(site) == locks[-1]
    packages = tmp_path / "packages.asc"
    packages.write_bytes(b"keys of vendors")
    assert site_lock.pin_keys(site, key, packages)[0] == locks[-1]
    assert site_lock.read_lock(site).rpm_keys_sha256 == hashlib.sha256(b"keys of vendors").hexdigest()


@pytest.mark.parametrize("text", ["", "{", '{"mirror_key_sha256": "short"}', '{"mirror_key": 1}', "[]"])
def test_a_lock_that_cannot_be_read_says_what_to_do(tmp_path, text):
    tmp_path.joinpath("site.lock.json").write_text(text)
    with pytest.raises(ProblemsError, match="the lock of the site cannot be read") as refused:
        site_lock.read_lock(tmp_path / "site.yaml")
    assert "restore it from version control" in refused.value.problems[0].next_step
