"""Where the shipped checks, roles and stacks are."""

import pytest

from rackwright.base import content
from rackwright.base.errors import OutsideError


def test_an_installation_without_checks_is_refused(tmp_path, monkeypatch):
    content.root.cache_clear()
    monkeypatch.setattr(content, "__file__", str(tmp_path / "rackwright/base/content.py"))
    with pytest.raises(OutsideError, match="install rackwright again"):
        content.root()
    for folder in ("validators", "roles"):
        (tmp_path / "rackwright/_content" / folder).mkdir(parents=True)
    assert content.root() == tmp_path / "rackwright/_content"
    content.root.cache_clear()
