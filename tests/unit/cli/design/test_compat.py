"""``rackwright compat``: a site, versions alone, and the rules, as people and scripts read them."""

from __future__ import annotations

import json

import pytest
import yaml

from rackwright import compat
from rackwright.base import yaml_text
from rackwright.cli.main import main


@pytest.fixture
def run_compat(capsys):
    def run(*options: str) -> tuple[int, str, str]:
        code = main(["compat", *map(str, options)])
        printed = capsys.readouterr()
        return code, printed.out, printed.err

    return run


DAY = ("--as-of", "2026-10-01")


def test_the_example_site_runs_is_supported_and_safe(run_compat, example_site):
    code, out, _ = run_compat(example_site, *DAY)
    assert code == 0
    assert "train (dgx-h100, h100-sxm)\n  runs: pass, supported: pass, safe: pass" in out
    assert "NOTE         safe       cuda-toolkit-floor" in out
    assert "bulletin 5755" in out


def test_unsafe_versions_exit_1_with_rule_source_date_and_next_step(run_compat):
    code, out, _ = run_compat("--driver", "580.126.20", "--cuda", "13.0", "--gpu", "h100-sxm", *DAY)
    assert code == 1
    assert "runs: pass, supported: pass, safe: fail" in out
    assert "driver 580.126.20: at least 580.159.03" in out
    assert "bulletin 5821, May 2026, 2026-05-19" in out
    assert "next: take the newest driver of the branch" in out


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--driver", "580.173.02", "--cuda", "13.0", "--gpu", "h100-sxm"), 0),
        (("--driver", "580.173.02", "--image", "nvcr.io/nvidia/pytorch:25.10-py3", "--gpu", "b200"), 0),
        (("--driver", "580.173.02", "--image", "nvcr.io/nvidia/pytorch:24.05-py3", "--gpu", "b200"), 1),
        (("--driver", "580.173.02", "--image", "registry.example/train:1"), 1),
        (("--driver", "575.57.08", "--cuda", "13.0"), 1),
        (("--rocm", "7.1.0", "--amdgpu", "30.20.1", "--server", "mi300x-8u", "--os", "ubuntu-24.04"), 0),
        (("--rocm", "6.3.1", "--gpu", "mi325x"), 1),
        (("--driver", "580.173.02", "--fabric-manager", "580.173.02", "--server", "l40s-2u"), 1),
        (("--driver", "580.173.02", "--module", "proprietary", "--gpu", "b200"), 1),
        (("--os", "ubuntu-24.04", "--kernel", "6.8.0-137-generic"), 0),
        (("--os", "ubuntu-24.04", "--kernel", "6.8.0-124-generic"), 1),
        (("--nvbandwidth", "0.9"), 1),
    ],
)
def test_exit_code(run_compat, options, code):
    assert run_compat(*options, *DAY)[0] == code


def test_json_has_every_answer_with_its_source(run_compat):
    code, out, _ = run_compat("--driver", "535.309.01", "--cuda", "12.9", "--gpu", "h100-sxm", "--format", "json", *DAY)
    data = json.loads(out)
    assert code == 1
    assert data["as_of"] == "2026-10-01"
    (train,) = data["node_classes"]
    assert (train["runs"], train["supported"], train["safe"]) == ("pass", "fail", "pass")
    assert all(answer["rule"] and answer["source"] and answer["date"] for answer in train["answers"])


def test_the_day_decides_an_end_of_life(run_compat):
    assert run_compat("--driver", "595.91.07", "--as-of", "2027-03-31")[0] == 0
    assert run_compat("--driver", "595.91.07", "--as-of", "2027-04-01")[0] == 1


def test_without_a_day_it_is_today_and_an_aged_table_is_told(run_compat):
    _, out, _ = run_compat("--driver", "580.173.02", "--as-of", "2027-01-01")
    assert "age-of-security" in out
    assert run_compat("--driver", "580.173.02")[1].startswith("Compatibility as of 20")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ((), "name a site, or versions to check"),
        (("--gpu", "h100-sxm"), "name a site, or versions to check"),
        (("--driver", "580.1", "--gpu", "h100"), "did you mean h100-sxm?"),
        (("--driver", "580.1", "--server", "dgx-h10"), "did you mean dgx-h100?"),
        (("--driver", "580.1", "--as-of", "yesterday"), "not a date"),
        (("--driver", "580.1", "--os", "beos"), "--os beos"),
        (("--driver", "banana"), "--driver banana: not a version"),
        (("--driver", "580.1", "--gpu", "mi300x"), "mi300x does not use it"),
        (("--rocm", "7.1", "--server", "dgx-h100"), "h100-sxm does not use it"),
        (("--image", ""), "name a site, or versions to check"),
        (("some-site", "--driver", "580.1"), "not both"),
        (("no-such-site",), "does not exist"),
    ],
)
def test_wrong_usage(run_compat, options, words):
    code, _, err = run_compat(*options)
    assert code == 2
    assert words in err


def test_every_version_of_the_bill_can_be_asked_about(run_compat):
    from rackwright.cli.design.compat import VERSIONS

    for field in VERSIONS:
        code, out, _ = run_compat(f"--{field.replace('_', '-')}", "1.2.3", *DAY)
        assert code in {0, 1}, field
        assert "\nversions\n" in out


def test_rules_are_listed_with_their_sources(run_compat):
    code, out, _ = run_compat("--rules")
    assert code == 0
    data = json.loads(run_compat("--rules", "--format", "json")[1])["tables"]
    for name, table in compat.tables().items():
        assert f"{name}: {table.about}" in out
        for rule in table.rules:
            assert rule.rule in out
            assert rule.source in out
    assert data.keys() == compat.tables().keys()


def test_a_site_that_would_not_run_is_refused_with_its_line(run_compat, example_site, tmp_path):
    data = yaml_text.load(example_site.read_text())
    data["software"]["fabric_manager"] = "580.126.20"
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False))
    code, _, err = run_compat(file)
    assert code == 1
    assert "rule fabric-manager-is-driver" in err


def test_a_site_without_accelerators_says_so(run_compat, example_site, tmp_path):
    data = yaml_text.load(example_site.read_text())
    data["pools"][0].update(server="cpu-node-2u", count=4)
    data["fabrics"] = [fabric for fabric in data["fabrics"] if fabric["name"] in {"inband", "oob"}]
    for key in ("storage", "workloads", "deployment"):
        data.pop(key, None)
    data["control"].pop("ufm", None)
    file = tmp_path / "site.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False))
    assert run_compat(file, *DAY)[:2] == (0, "Compatibility as of 2026-10-01: no node class has accelerators\n")


def test_a_source_that_was_not_read_is_said(run_compat):
    _, out, _ = run_compat("--rocm", "7.1.0", "--gpu", "mi355x", *DAY)
    assert "rocm 7.1.0: any (derived source)" in out
    _, out, _ = run_compat("--rocm", "7.1.0", "--gpu", "mi300x", "--format", "json", *DAY)
    (answer,) = [answer for answer in json.loads(out)["node_classes"][0]["answers"] if answer["rule"] == "rocm-model"]
    assert answer["level"] == "read"
