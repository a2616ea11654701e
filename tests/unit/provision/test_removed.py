from __future__ import annotations

import pytest

from rackwright.base.errors import OutsideError
from rackwright.provision.up import _require_declared


def test_a_machine_that_left_the_site_is_forgotten_on_request_alone() -> None:
    stack, site = ["train-001", "train-002"], {"train-001"}
    with pytest.raises(
        OutsideError, match=r"train-002 in the stack and no longer in the site: .*--unprotect train-002"
    ):
        _require_declared(stack, site, ())
    _require_declared(stack, site, ["train-002"])
