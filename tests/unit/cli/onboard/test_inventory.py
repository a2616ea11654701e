import json

from rackwright.base import yaml_text
from rackwright.cli import main


def test_the_inventory_lands_in_the_folder_beside_what_is_there(example_site, tmp_path, capsys):
    (tmp_path / "inventory").mkdir()
    (tmp_path / "inventory" / "group_vars.yml").write_text("kept: true")
    words = ["inventory", str(example_site), "--nodes", "2", "--work", str(tmp_path / "work")]
    assert main.main([*words, "--out", str(tmp_path / "inventory")]) == 0
    assert "4 hosts" in capsys.readouterr().out
    assert (tmp_path / "inventory" / "hosts.yml").is_file()
    assert (tmp_path / "inventory" / "group_vars.yml").read_text() == "kept: true"


def test_people_read_yaml_without_marks_and_scripts_the_same_as_json(example_site, tmp_path, capsys):
    words = ["inventory", str(example_site), "--nodes", "2", "--work", str(tmp_path / "work")]
    assert main.main(words) == 0
    text = capsys.readouterr().out
    assert "__ansible" not in text
    assert "\n      ansible_host: 10." in text
    assert main.main([*words, "--format", "json"]) == 0
    marked = json.loads(capsys.readouterr().out, object_hook=lambda pairs: pairs.get("__ansible_unsafe", pairs))
    assert yaml_text.load(text) == marked


def test_a_folder_that_cannot_be_written_is_said(example_site, tmp_path, capsys):
    (tmp_path / "taken").write_text("")
    words = ["inventory", str(example_site), "--nodes", "2", "--work", str(tmp_path / "work")]
    assert main.main([*words, "--out", str(tmp_path / "taken")]) == 1
    assert "cannot be written: " in capsys.readouterr().err
