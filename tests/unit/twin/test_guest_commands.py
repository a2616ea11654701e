from pathlib import Path

import pytest

from rackwright.twin.guest import command, ending, manager
from rackwright.twin.guest.options import Options
from rackwright.twin.guest.unitfile import UnitFile


def unit(name: str = "a.service", **values: list[str]) -> UnitFile:
    unit_file = UnitFile(name, "", "loaded")
    for key, value in values.items():
        section, _, field = key.partition("_")
        unit_file.values[section, field] = value
    return unit_file


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("/bin/d $OPTIONS end", ["/bin/d", "-a", "-b", "end"]),
        ("/bin/d ${OPTIONS} end", ["/bin/d", "-a -b", "end"]),
        ("/bin/d $NOTHING end", ["/bin/d", "end"]),
        ("/bin/d x${ONE}y", ["/bin/d", "x1y"]),
        ("/bin/sh -c 'echo $$HOME \"a b\"'", ["/bin/sh", "-c", 'echo $HOME "a b"']),
    ],
)
def test_exec_lines_expand_as_systemd_does(line: str, words: list[str]) -> None:
    expanded = command.Command(line, {"OPTIONS": "-a -b", "ONE": "1"})
    assert expanded.arguments == words
    assert expanded.program == words[0]


def test_prefixes_of_exec_lines() -> None:
    assert command.Command("-/bin/false", {}).ignore_failure
    assert command.Command("!/bin/x", {}).privileged
    renamed = command.Command("@/bin/x shown -v", {})
    assert (renamed.program, renamed.arguments) == ("/bin/x", ["shown", "-v"])


def test_environment_files_and_missing_ones(tmp_path: Path) -> None:
    file = tmp_path / "default"
    file.write_text('# c\nDAEMON_OPTS="-F 1 -x"\nEMPTY=\n')
    environment = command.environment(
        unit(Service_EnvironmentFile=[f"-{file}"], Service_Environment=['"A=b c" D=e']), {}
    )
    assert (environment["DAEMON_OPTS"], environment["A"], environment["D"]) == ("-F 1 -x", "b c", "e")
    command.environment(unit(Service_EnvironmentFile=["-/nowhere"]), {})
    with pytest.raises(FileNotFoundError):
        command.environment(unit(Service_EnvironmentFile=["/nowhere"]), {})


@pytest.mark.parametrize(
    ("text", "seconds"), [("5", 5), ("90s", 90), ("1min 30s", 90), ("100ms", 0.1), ("infinity", 1e9)]
)
def test_time_spans(text: str, seconds: float) -> None:
    assert ending.seconds(text) == pytest.approx(seconds)


def test_order_follows_after_and_before_and_breaks_cycles() -> None:
    units = {
        "a.service": unit("a.service", Unit_After=["b.service"]),
        "b.service": unit("b.service"),
        "c.service": unit("c.service", Unit_Before=["b.service"]),
    }
    assert manager.order(units) == {"a.service": {"b.service"}, "b.service": {"c.service"}, "c.service": set()}
    units["b.service"].values["Unit", "After"] = ["a.service"]
    after = manager.order(units)
    done: set[str] = set()
    for _ in units:
        done |= {name for name, needed in after.items() if needed <= done}
    assert done == set(units)


def test_options_of_systemctl() -> None:
    options = Options(["--no-block", "show", "-p", "MainPID,Type", "--property=Result", "-pId", "ssh", "--", "-x"])
    assert options.verb == "show"
    assert options.properties == ["MainPID", "Type", "Result", "Id"]
    assert options.names == ["ssh", "-x"]
