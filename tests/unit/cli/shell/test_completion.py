"""The completion script knows every verb and its options, and bash accepts it."""

from __future__ import annotations

import subprocess

from rackwright.cli.main import PHASE_OF, main


def test_bash_completes_verbs_and_options(capsys):
    assert main(["completion", "bash"]) == 0
    script = capsys.readouterr().out
    query = "COMP_WORDS=(rackwright {}); COMP_CWORD={}; _shtab_rackwright; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    verbs = bash(script, query.format("''", 1))
    assert set(PHASE_OF) <= set(verbs)
    assert "--fault" in bash(script, query.format("rehearse --fa", 2))


def bash(script, query):
    done = subprocess.run(["bash", "-c", f"{script}\n{query}"], capture_output=True, text=True, check=True)
    return done.stdout.split()
