"""The lock beside a site file: the key of the mirror, by digest."""

import hashlib

import pytest

from rackwright.base.errors import ProblemsError
from rackwright.spec import site_lock


def test_the_key_of_the_mirror_is_pinned_and_a_change_is_told(tmp_path):
    site, key = tmp_path / "site.yaml", tmp_path / "key.asc"
    assert site_lock.pinned_key(site) == ""
    digests = []
    for content in (b"one key", b"another key"):
        key.write_bytes(content)
        digests.append(hashlib.sha256(content).hexdigest())
        assert site_lock.pin_key(site, key) == ("" if len(digests) == 1 else digests[0], digests[-1])
        assert site_lock.pinned_key(site) == digests[-1]
    assert site_lock.pin_key(site, key) == (digests[-1], digests[-1])


@pytest.mark.parametrize("text", ["", "{", '{"mirror_key_sha256": "short"}', '{"mirror_key": 1}', "[]"])
def test_a_lock_that_cannot_be_read_says_what_to_do(tmp_path, text):
    tmp_path.joinpath("site.lock.json").write_text(text)
    with pytest.raises(ProblemsError, match="the lock of the site cannot be read") as refused:
        site_lock.pinned_key(tmp_path / "site.yaml")
    assert "restore it from version control" in refused.value.problems[0].next_step
