from rackwright.cli import main


def test_the_inventory_lands_in_the_folder(example_site, tmp_path, capsys):
    words = ["inventory", str(example_site), "--nodes", "2", "--work", str(tmp_path / "work")]
    assert main.main([*words, "--out", str(tmp_path / "inventory")]) == 0
    assert "4 hosts" in capsys.readouterr().out
    assert (tmp_path / "inventory" / "hosts.yml").is_file()


def test_a_folder_that_cannot_be_written_is_said(example_site, tmp_path, capsys):
    (tmp_path / "taken").write_text("")
    words = ["inventory", str(example_site), "--nodes", "2", "--work", str(tmp_path / "work")]
    assert main.main([*words, "--out", str(tmp_path / "taken")]) == 1
    assert "cannot be written: " in capsys.readouterr().err
