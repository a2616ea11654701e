from __future__ import annotations

import json
import statistics
from datetime import datetime
from pathlib import Path

import pytest
import yaml

from rackwright.base import yaml_text
from rackwright.cli.main import main
from rackwright.collect import Store
from rackwright.collect.output import Output
from rackwright.model.evidence.load import MemoryBandwidth
from rackwright.twin import tools
from tests import build
from tests.unit.cli import evidence_store

SITE = str(build.EXAMPLE)
LATER = "2026-11-22T09:00:00+00:00"
"""A day after `build.TAKEN`."""
SPEED = 2900.0
"""GB/s of a copy within a healthy part of the example site."""
ROW = "{metric: pcie.replays, match: {vendor: nvidia}, value: 3, unit: packets, source: a paper, date: '2026-01-01', kind: vendor}"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    evidence_store.write_run(
        tmp_path / "evidence", {"train-001": {}, "train-002": {"nvml": {"devices": {3: {"pcie_replays": 7}}}}}
    )
    return tmp_path


def call(capsys, *argv: str) -> tuple[int, str]:
    code = main(["judge", SITE, *argv])
    return code, capsys.readouterr().out


def at(folder: Path, *more: str) -> list[str]:
    return ["--evidence", str(folder / "evidence"), *more]


def verdicts(text: str, check: str) -> dict[str, dict]:
    return {verdict["target"]: verdict for verdict in json.loads(text)["verdicts"] if verdict["check"] == check}


def test_the_same_evidence_gives_the_same_bytes(folder, capsys) -> None:
    first = call(capsys, *at(folder, "--format", "json"))
    assert call(capsys, *at(folder, "--format", "json")) == first
    basis = json.loads(first[1])["basis"]
    assert len(basis["evidence"]) == 1
    assert basis["as_of"] == build.TAKEN
    hashes = {key: value for key, value in basis.items() if key.endswith("_sha256")}
    assert set(hashes) == {
        f"{file}_sha256" for file in ("limits", "catalogues", "checks", "collectors", "site", "design")
    }
    assert all(len(value) == 64 for value in hashes.values())


def test_the_newest_reading_of_every_collector_counts(folder, capsys) -> None:
    evidence_store.write_run(
        folder / "evidence", {"train-001": {"clock": {"offset_seconds": 2.0}}}, LATER, ("clock",), "load"
    )
    document = call(capsys, *at(folder, "--format", "json"))[1]
    assert verdicts(document, "clock.offset")["train-001"]["outcome"] == "fail"
    assert verdicts(document, "gpu.count")["train-001"]["outcome"] == "pass"
    assert len(json.loads(document)["basis"]["evidence"]) == 2


def test_a_reading_that_is_too_old_is_inconclusive_and_says_its_age(folder, capsys) -> None:
    evidence_store.write_run(folder / "evidence", {"train-001": {}}, "2026-12-01T09:00:00+00:00", ("clock",), "load")
    document = call(capsys, *at(folder, "--format", "json"))[1]
    old = verdicts(document, "gpu.count")["train-001"]
    assert old["outcome"] == "inconclusive"
    assert "2026-11-21T09:00:00" in old["says"]
    assert verdicts(document, "clock.offset")["train-001"]["outcome"] == "pass"


@pytest.mark.parametrize(("moment", "outcome"), [(LATER, "pass"), ("2026-12-24", "inconclusive")])
def test_the_age_counts_from_as_of(folder, capsys, moment, outcome) -> None:
    document = call(capsys, *at(folder, "--format", "json", "--as-of", moment))[1]
    assert verdicts(document, "gpu.count")["train-001"]["outcome"] == outcome


def test_the_site_says_how_old_a_reading_may_be(folder, tmp_path, capsys) -> None:
    site = yaml_text.load(build.EXAMPLE.read_text())
    site.setdefault("acceptance", {})["evidence_hours"] = 2
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(site))
    main(["judge", str(file), *at(folder, "--format", "json", "--as-of", "2026-11-21T12:00:00+00:00")])
    assert verdicts(capsys.readouterr().out, "gpu.count")["train-001"]["outcome"] == "inconclusive"


@pytest.mark.parametrize(
    ("moment", "words"), [("yesterday", "expected an ISO time"), ("2026-11-20", "before the newest run")]
)
def test_a_moment_that_makes_no_sense_is_wrong_usage(folder, capsys, moment, words) -> None:
    assert main(["judge", SITE, *at(folder, "--as-of", moment)]) == 2
    assert words in capsys.readouterr().err


def test_one_run_can_be_named(folder, capsys) -> None:
    run = evidence_store.write_run(folder / "evidence", {"train-001": {}}, LATER, ("clock",))
    document = json.loads(call(capsys, *at(folder, "--run", run, "--format", "json"))[1])
    assert list(document["basis"]["evidence"]) == [run]
    nodes = {verdict["target"] for verdict in document["verdicts"] if not verdict["target"].endswith("-pdu")}
    assert nodes == {"train-001"}  # and the PDUs of its rack, which that run did not ask


def test_other_limits_say_which_verdicts_flip(folder, capsys) -> None:
    limits = folder / "new.yaml"
    limits.write_text(f"limits:\n  - {ROW}\n")
    code, text = call(capsys, *at(folder, "--limits", str(limits)))
    assert code == 1
    assert "pass -> fail          pcie.replays               train-002: " in text
    assert "now: " in text
    assert "a paper" in text
    assert text.strip().endswith("1 get worse")
    flipped = json.loads(call(capsys, *at(folder, "--limits", str(limits), "--format", "json"))[1])
    [flip] = flipped["flips"]
    assert (flip["check"], flip["node"], flip["old"], flip["new"]) == ("pcie.replays", "train-002", "pass", "fail")
    assert "NVIDIA/DCGM" in flip["old_expected"]
    assert flipped["basis"]["new_limits_sha256"] != flipped["basis"]["limits_sha256"]


def test_limits_that_change_nothing_flip_nothing(folder, capsys) -> None:
    (folder / "new").mkdir()
    (folder / "new" / "one.yaml").write_text(f"limits:\n  - {ROW.replace('value: 3', 'value: 7')}\n")
    code, text = call(capsys, *at(folder, "--limits", str(folder / "new")))
    assert (code, text.split()[0]) == (0, "0")


@pytest.mark.parametrize(
    "row", [ROW.replace("a paper", "' '"), ROW.replace("packets", "bytes"), ROW.replace("value: 3", "value: -1")]
)
def test_limits_that_are_refused_judge_nothing(folder, capsys, row) -> None:
    (folder / "new.yaml").write_text(f"limits:\n  - {row}\n")
    assert main(["judge", SITE, *at(folder, "--limits", str(folder / "new.yaml"))]) == 1
    assert "new.yaml:2" in capsys.readouterr().err


def test_an_empty_folder_of_limits_is_wrong_usage(folder, capsys) -> None:
    (folder / "new").mkdir()
    assert main(["judge", SITE, *at(folder, "--limits", str(folder / "new"))]) == 2


def test_a_baseline_is_written_once(folder, capsys) -> None:
    file = folder / "baseline.yaml"
    call(capsys, *at(folder, "--learn", str(file)))
    assert "limits" in yaml_text.load(file.read_text())
    assert main(["judge", SITE, *at(folder, "--learn", str(file))]) in (0, 1)  # the same readings, as after a kill
    learned = file.read_text()
    file.write_text(f"# ours\n{learned}")
    assert main(["judge", SITE, *at(folder, "--learn", str(file))]) == 2
    assert "not overwritten" in capsys.readouterr().err
    assert file.read_text() == f"# ours\n{learned}"
    assert main(["judge", SITE, *at(folder, "--baseline", str(file))]) in (0, 1)


SHARES = {
    "train-001": 1.0,
    "train-002": 1.004,
    "train-003": 0.998,
    "train-004": 1.001,
    "train-005": 1.01,
    "train-006": 0.5,
}
"""Memory bandwidth of a node beside that of a healthy one; the last one is refused."""


def store_memory_bandwidth(folder: Path) -> dict[str, float]:
    """A store in which every node tells its own memory bandwidth; returns that of the slowest part of each node."""
    healthy = build.healthy_record(MemoryBandwidth)
    sim = tools.tool("hbm_bandwidth")
    slowest = {}
    header = {
        "site": "h100-pod",
        "purpose": "load",
        "owed": {node: ["hbm_bandwidth"] for node in SHARES},
        "adapters": {},
    }
    with Store(folder / "evidence").begin(header, datetime.fromisoformat(build.TAKEN)) as run:
        for node, share in SHARES.items():
            devices = [
                device.model_copy(
                    update={
                        "copy_gbytes_per_s": [round(speed * share * (1 + 1e-4 * place), 2) for speed in [SPEED] * 8]
                    }
                )
                for place, device in enumerate(healthy.devices)
            ]
            slowest[node] = min(statistics.median(device.copy_gbytes_per_s) for device in devices)
            stdout = sim.render(healthy.model_copy(update={"devices": devices}))
            run.add(Output(node=node, collector="hbm_bandwidth", subject="", stdout=stdout, rc=0))
    return slowest


def test_a_learned_value_is_the_statistic_of_the_fleet_and_is_shown(tmp_path, capsys) -> None:
    slowest = store_memory_bandwidth(tmp_path)
    file = tmp_path / "baseline.yaml"
    plain = json.loads(call(capsys, *at(tmp_path, "--learn", str(file), "--format", "json"))[1])["verdicts"]
    [row] = [
        limit for limit in yaml_text.load(file.read_text())["limits"] if limit["metric"] == "hbm.copy_gbytes_per_s"
    ]
    good = [value for node, value in slowest.items() if node != "train-006"]
    middle = statistics.median(good)
    assert row["value"] == pytest.approx(middle, rel=1e-5)
    assert row["spread"] == pytest.approx(statistics.median(abs(speed - middle) for speed in good), rel=1e-4)
    assert (row["samples"], row["kind"], row["date"]) == (5, "measured", build.TAKEN[:10])
    verdicts = json.loads(call(capsys, *at(tmp_path, "--baseline", str(file), "--format", "json"))[1])["verdicts"]
    [bandwidth] = [
        verdict for verdict in verdicts if verdict["check"] == "hbm.bandwidth" and verdict["target"] == "train-001"
    ]
    assert f"fleet median {row['value']:g} GB/s of 5 nodes" in bandwidth["expected"]
    assert [verdict["outcome"] for verdict in verdicts] == [verdict["outcome"] for verdict in plain]


@pytest.mark.parametrize("options", [(), ("--format", "json")])
def test_a_large_site_is_judged_in_parts_and_says_the_same(options, folder, capsys, monkeypatch) -> None:
    from rackwright.cli.accept import judge

    small = call(capsys, *at(folder, *options))
    monkeypatch.setattr(judge, "LARGE", 1)
    large = call(capsys, *at(folder, *options))
    assert large[0] == small[0]
    assert large[1].splitlines() == small[1].splitlines()


def test_a_file_without_any_limit_is_wrong_usage(folder, capsys) -> None:
    (folder / "empty.yaml").touch()
    assert main(["judge", SITE, *at(folder, "--limits", str(folder / "empty.yaml"))]) == 2
    assert "empty.yaml holds no" in capsys.readouterr().err


def test_a_node_of_which_nothing_was_seen_is_no_pass(tmp_path, capsys) -> None:
    evidence_store.write_run(tmp_path / "evidence", {"train-001": {}}, collectors=("clock",))
    assert main(["judge", SITE, *at(tmp_path, "--nodes", "train-001")]) == 0
    capsys.readouterr()
    assert main(["judge", SITE, *at(tmp_path, "--nodes", "train-001,train-030,train-031")]) == 1
    assert "no evidence of train-[030-031]: run `rackwright collect`" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--calibrate", "dgx-h100"], "name the file for its limits with --learn FILE"),
        (["--calibrate", "dgx-h100", "--learn", "new.yaml"], "it declares none"),
    ],
)
def test_a_calibration_needs_a_file_and_declared_terms(folder, capsys, options, words) -> None:
    assert main(["judge", SITE, *at(folder, *options)]) == 2
    assert words in capsys.readouterr().err


def test_a_calibration_that_cannot_be_made_names_the_line_of_its_terms(folder, tmp_path, capsys) -> None:
    site = yaml_text.load(Path(SITE).read_text())
    site["acceptance"]["calibrations"] = [{"server": "dgx-h100", "signed_by": "A. Engineer"}]
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(site))
    new = tmp_path / "new.yaml"
    assert main(["judge", str(file), *at(folder, "--learn", str(new), "--calibrate", "dgx-h100")]) == 1
    text = capsys.readouterr().err
    assert (
        "acceptance.calibrations[0]: dgx-h100: nothing of this server was measured that has no published limit" in text
    )
    assert f"{file}:" in text
    assert not new.exists()
