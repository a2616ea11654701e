"""Accounts and QOS of Slurm from tenants and classes. What the script brings about was read from a real slurmdbd 22.05.8 on MariaDB 10.11."""

from __future__ import annotations

import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from rackwright import design, export, spec
from rackwright.export import ExportRequest
from rackwright.model.tenancy import Members

MIXED = Path(__file__).resolve().parents[3] / "inventories" / "mixed-pod" / "site.yaml"


@pytest.fixture(scope="module")
def mixed():
    loaded = spec.load(MIXED)
    return design.expand(loaded.site, loaded.catalog)


def files(plan) -> dict[str, str]:
    return {file.name: file.text() for file in export.export(plan, "slurm", ExportRequest())}


def calls(plan) -> list[str]:
    return [
        line
        for line in files(plan)["accounts.sh"].splitlines()
        if line.split(" ")[0] in ("qos", "account", "user", "group") and "{" not in line
    ]


def test_tenants_are_accounts_with_what_they_may_always_use_and_what_they_may_borrow(mixed):
    assert calls(mixed) == [
        "qos fine-tune '' priority=300 preemptmode=requeue gracetime=30 mintresperjob=gres/gpu=8 maxtresperjob=gres/gpu=16 flags=DenyOnLimit",
        "qos pretrain fine-tune priority=500 preemptmode=requeue gracetime=120 mintresperjob=gres/gpu=16 maxtresperjob=gres/gpu=48 flags=DenyOnLimit",
        "account research root grptres=gres/gpu:h100=56",
        "account research-guaranteed research grptres=gres/gpu:h100=48 qos=pretrain defaultqos=pretrain",
        "account research-preemptible research grptres=gres/gpu:h100=56 qos=fine-tune defaultqos=fine-tune",
        "group research research-guaranteed research-preemptible",
        "account product root grptres=gres/gpu:h100=8",
        "account product-preemptible product grptres=gres/gpu:h100=8 qos=fine-tune defaultqos=fine-tune",
        "user release-bot product-preemptible",
        "group product product-preemptible",
    ]


def test_slurm_counts_the_accelerators_that_are_limited(mixed):
    assert "AccountingStorageTRES=gres/gpu,gres/gpu:h100\n" in files(mixed)["accounting.conf"]


def test_without_tenants_on_slurm_there_are_no_accounts(mixed):
    elsewhere = [tenant.model_copy(update={"quota": tenant.quota[1:2]}) for tenant in mixed.site.tenants]
    for tenants in ([], elsewhere):
        plan = replace(mixed, site=mixed.site.model_copy(update={"tenants": tenants, "classes": []}))
        assert set(files(plan)) == {"topology.conf"}


def test_the_script_does_what_is_missing_and_quotes_what_it_inserts(mixed, tmp_path):
    odd = mixed.site.tenants[0].model_copy(update={"members": Members(users=["DOMAIN/eve@x"], groups=[])})
    plan = replace(mixed, site=mixed.site.model_copy(update={"tenants": [odd]}))
    (tmp_path / "accounts.sh").write_text(files(plan)["accounts.sh"])
    log = tmp_path / "log"
    stand_in = tmp_path / "sacctmgr"  # a database with accelerators and nothing else
    stand_in.write_text(f'#!/bin/sh\necho "$*" >> {log}\ncase "$*" in *"show tres"*) echo "gres|gpu" ;; esac\n')
    stand_in.chmod(0o755)
    done = subprocess.run(
        ["sh", "accounts.sh"],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    lines = log.read_text().splitlines()
    assert "--immediate --quiet add user DOMAIN/eve@x cluster=mixed-pod account=research-guaranteed" in lines
    assert "--immediate --quiet modify qos where name=pretrain set preempt=fine-tune" in lines
    assert not [line for line in lines if line.endswith("preempt=")]
    stand_in.write_text("#!/bin/sh\n")
    refused = subprocess.run(
        ["sh", "accounts.sh"],
        cwd=tmp_path,
        env={"PATH": f"{tmp_path}:/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (refused.returncode, "start slurmctld with the lines of accounting.conf first" in refused.stderr) == (
        1,
        True,
    )
