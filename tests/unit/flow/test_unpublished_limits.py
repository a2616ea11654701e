"""`check` names what nobody has published of a server, exactly as it would refuse the nodes, and `size` declares the calibration."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from rackwright import catalog
from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.flow import unpublished_limits
from tests.matrix import published, walk

NOW = datetime(2026, 11, 26, tzinfo=UTC)


def published_checks(server: str) -> list[str]:
    """What the matrix says that a site has to calibrate."""
    row = next(line for line in published.site_lines() if line.startswith(f"| {server} | slurm |"))
    healthy = row.strip("| ").split(" | ")[3]
    return healthy.removeprefix("accepted once calibrated: ").replace("`", "").split(", ") if "once" in healthy else []


def test_the_advice_is_what_the_gate_would_refuse(tmp_path: Path, capsys) -> None:
    for server in ("mi325x-8u", "dgx-h100", "gaudi3-8u"):
        folder = tmp_path / server
        folder.mkdir()
        site = walk.sized_stage(server, "slurm", folder)[1].design.site
        missing = unpublished_limits.of_site(site, catalog.load(), NOW)
        assert missing.get(server, []) == published_checks(server)
    assert main(["check", str(tmp_path / "mi325x-8u")]) == 0
    [advice] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  advice: ")]
    assert "nobody has published a limit of mi325x-8u for collective.across_nodes: its nodes are refused" in advice
    assert "acceptance.calibrations: [{server: mi325x-8u, nodes: 8, runs: 3, signed_by: ...}]" in advice
    assert "`rackwright judge SITE --learn FILE --calibrate mi325x-8u`" in advice


def test_size_declares_the_calibration_and_says_what_it_takes(tmp_path: Path, capsys) -> None:
    words = ["size", "--server", "l4-2u", "--fabric", "ndr-rail", "--scheduler", "slurm", "--accelerators"]
    file = tmp_path / "site.yaml"
    assert main([*words, "16", "--out", str(file)]) == 0
    assert "4 of its nodes make them in 3 runs (acceptance.calibrations)" in capsys.readouterr().out
    [terms] = yaml_text.load(file.read_text(encoding="utf-8"))["acceptance"]["calibrations"]
    assert (terms["server"], terms["nodes"], terms["runs"]) == ("l4-2u", 4, 3)
    assert main(["check", str(file)]) == 0
    assert "Declared: 4 nodes, 3 runs each" in capsys.readouterr().out
    assert main([*words, "8", "--out", str(file)]) == 0
    assert "which takes at least 4 nodes" in capsys.readouterr().out
