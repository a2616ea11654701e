from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main
from tests.build import EXAMPLE
from tests.computed_once import expand_once
from tests.handovers import cluster, evidence, handed_over, signed_once, work

__all__ = ["Refusal", "cluster", "evidence", "expand_once", "handed_over", "refusal", "signed_once", "work"]

Refusal = Callable[[Callable[[dict[str, Any]], None]], str]


@pytest.fixture
def refusal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Refusal:
    """What `check` says of the example site with a mistake."""

    def refuse(change: Callable[[dict[str, Any]], None]) -> str:
        data = yaml_text.load(EXAMPLE.read_text(encoding="utf-8"))
        change(data)
        file = tmp_path / "site.yaml"
        file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
        assert main(["check", str(file)]) == 1
        return capsys.readouterr().err

    return refuse
