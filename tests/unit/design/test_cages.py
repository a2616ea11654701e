"""The table of plugs: what is hashed with a design is the same whenever the same site is expanded."""

from __future__ import annotations

import pytest

from rackwright.design import cages
from rackwright.spec import load
from tests import build


@pytest.mark.parametrize("descending", [False, True])
def test_plugs_do_not_depend_on_the_order_of_groups(descending: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Polars hands groups over as its threads end, and a handover was refused because its design had changed."""
    group = cages._cages
    ordered = lambda *arguments: group(*arguments).collect().sort("sku", descending=descending).lazy()  # noqa: E731
    monkeypatch.setattr(cages, "_cages", ordered)
    design = build.site_design()
    assert cages.add(design, load(build.EXAMPLE).catalog).plugs.equals(design.plugs)
