"""Sites in parts: what is joined, what is refused and where, and what a judgement rests on."""

from __future__ import annotations

import pytest
import yaml

from rackwright import spec
from rackwright.base import yaml_text
from rackwright.base.errors import ProblemsError
from rackwright.cli.main import main
from rackwright.spec import assembly


@pytest.fixture
def site(tmp_path, example_data):
    """Writes the example as a site file and parts; `parts` maps a file to its text, `moved` a field of the site to its file."""

    def write(include, parts=(), moved=()):
        data = dict(example_data)
        texts = dict(parts)
        for field, name in dict(moved).items():
            texts[name] = texts.get(name, "") + yaml.safe_dump({field: data.pop(field)}, sort_keys=False)
        file = tmp_path / "site.yaml"
        file.write_text(yaml.safe_dump({"include": include} | data, sort_keys=False))
        for name, text in texts.items():
            (tmp_path / name).parent.mkdir(exist_ok=True)
            (tmp_path / name).write_text(text)
        return file

    return write


def problems(file):
    with pytest.raises(ProblemsError) as error:
        spec.load(file)
    assert all(problem.expected and problem.found and problem.next_step for problem in error.value.problems)
    return [(problem.code, problem.place.rpartition("/")[2]) for problem in error.value.problems]


def test_a_site_in_parts_is_the_site_in_one_file(site, example_site):
    file = site(
        ["pools.yaml", "net/fabrics.yaml"],
        {"net/fabrics.yaml": "include: [software.yaml]\n"},
        {"pools": "pools.yaml", "fabrics": "net/fabrics.yaml", "software": "software.yaml"},
    )
    loaded = spec.load(file)
    assert loaded.site == spec.load(example_site).site.model_copy(update={"include": loaded.site.include})
    assert loaded.site.include == ["pools.yaml", "net/fabrics.yaml", "software.yaml"]
    place = loaded.where("fabrics[3].subnet")
    assert place.startswith(f"{file.parent}/net/fabrics.yaml:")
    assert "subnet" in (file.parent / "net/fabrics.yaml").read_text().splitlines()[int(place.rpartition(":")[2]) - 1]


def test_lists_are_joined_and_mappings_key_by_key(site, example_data):
    more = {"pools": [example_data["pools"][0] | {"name": "b200", "count": 1}], "software": {"driver": "580.95.05"}}
    file = site(["more.yaml"], {"more.yaml": yaml.safe_dump(more)})
    text = yaml_text.load(file.read_text())
    assert text["software"].pop("driver")
    file.write_text(yaml.safe_dump(text, sort_keys=False))
    root, refused = assembly.read_site(file)
    assert refused == []
    data = root.plain()
    assert [pool["name"] for pool in data["pools"]] == [example_data["pools"][0]["name"], "b200"]
    assert data["software"] == text["software"] | more["software"]


def test_defaults_fill_what_is_not_said(site, example_data):
    defaults = (
        "defaults:\n  pools: {servers_per_rack: 2, scheduler: kubernetes}\n  region: elsewhere\n  tenants: {name: x}\n"
    )
    file = site(["common.yaml"], {"common.yaml": defaults})
    text = yaml_text.load(file.read_text())
    del text["pools"][0]["servers_per_rack"], text["region"]
    file.write_text(yaml.safe_dump(text, sort_keys=False))
    loaded = spec.load(file)
    assert loaded.site.pools[0].servers_per_rack == 2
    assert loaded.site.pools[0].scheduler == example_data["pools"][0]["scheduler"]
    assert loaded.site.region == "elsewhere"
    assert loaded.site.tenants == []
    assert loaded.where("pools[0].servers_per_rack") == f"{file.parent}/common.yaml:2"


@pytest.mark.parametrize(
    ("include", "parts", "expected"),
    [
        (["a.yaml"], {"a.yaml": "region: x\n"}, [("spec.declared_twice", "a.yaml:1")]),
        (["a.yaml"], {"a.yaml": "software:\n  cuda: '13'\n"}, [("spec.declared_twice", "a.yaml:2")]),
        (["a.yaml"], {"a.yaml": "pools:\n- count: 1\n  name: train\n"}, [("spec.declared_twice", "a.yaml:2")]),
        (["a.yaml"], {}, [("spec.no_part", "site.yaml:2")]),
        (["a.yaml"], {"a.yaml": "include: [b.yaml]\n", "b.yaml": "include:\n- a.yaml\n"}, [("spec.include_loop", "b.yaml:2")]),
        (["site.yaml"], {}, [("spec.include_loop", "site.yaml:2")]),
        (["a.yaml", "a.yaml"], {"a.yaml": "defaults: {}\n"}, [("spec.included_twice", "site.yaml:3")]),
        (["a.yaml"], {"a.yaml": "tenants: [\n"}, [("spec.yaml_syntax", "a.yaml:2")]),
        (["a.yaml"], {"a.yaml": "- 1\n"}, [("spec.not_a_mapping", "a.yaml:1")]),
        (["../a.yaml"], {}, [("spec.wrong_value", "site.yaml:2")]),
        (["a.yaml"], {"a.yaml": "include: [/etc/passwd]\n"}, [("spec.wrong_value", "a.yaml:1")]),
        (["a.yaml"], {"a.yaml": "defaults:\n  poools: {}\n"}, [("spec.no_default", "a.yaml:2")]),
        (["a.yaml"], {"a.yaml": "defaults:\n  fabrics:\n    colour: red\n"}, [("spec.unknown_key", "a.yaml:3")]),
        (["a.yaml"], {"a.yaml": "defaults:\n  pools:\n    hall: h9\n"}, [("spec.unknown_hall", "a.yaml:3")]),
    ],
)  # fmt: skip
def test_each_mistake_is_one_finding_at_its_place(site, include, parts, expected):
    assert problems(site(include, parts)) == expected


def test_a_part_is_not_called_as_a_site_file(site):
    file = site([])
    lab = file.with_name("lab.yaml")
    lab.write_text("include: [site.yaml]\nsite: lab\n")
    assert ("spec.part_name", "lab.yaml:1") in problems(lab)


def test_every_part_decides(site):
    file = site(["net.yaml"], {}, {"fabrics": "net.yaml"})
    loaded = spec.load(file)
    before = assembly.sha256(loaded.site, file)
    part = file.with_name("net.yaml")
    part.write_text(part.read_text() + "# one more line\n")
    assert assembly.sha256(loaded.site, file) != before
    assert assembly.files(loaded.site, file) == {"site.yaml": file, "net.yaml": part}


def test_an_environment_may_stand_in_a_part_and_is_printed_whole(site, capsys, tmp_path):
    staging = "environments: [{name: stage, differences: [{field: site, value: stage, because: a trial}]}]\n"
    file = site(["net.yaml", "stage.yaml"], {"stage.yaml": staging}, {"fabrics": "net.yaml"})
    assert main(["environment", str(file), "stage"]) == 0
    printed = tmp_path / "printed.yaml"
    printed.write_text(capsys.readouterr().out)
    assert spec.load(printed).site.site == "stage"
    assert spec.load(printed).site.fabrics == spec.load(file).site.fabrics
