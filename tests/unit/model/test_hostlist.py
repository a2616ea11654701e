import shutil
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rackwright.base.errors import UsageError
from rackwright.model.hostlist import expand_hosts, fold_hosts

NAMES = st.from_regex(r"[a-z]{1,2}(-[0-9]{1,4}){0,2}(-[a-z])?", fullmatch=True)


@pytest.mark.parametrize(
    ("words", "hosts"),
    [
        (["train-[001-003]"], ["train-001", "train-002", "train-003"]),
        (["a[1-2,5],login1", "a2"], ["a1", "a2", "a5", "login1"]),
        (["r[1-2]n[08-09].example.com"], [f"r{r}n0{n}.example.com" for r in (1, 2) for n in (8, 9)]),
        (["10.0.0.32", "fd00::1"], ["10.0.0.32", "fd00::1"]),
        (["rack_1-[9-11]-x"], ["rack_1-9-x", "rack_1-10-x", "rack_1-11-x"]),
    ],
)
def test_lists_are_expanded(words, hosts):
    assert expand_hosts(words) == hosts


@pytest.mark.parametrize(
    ("word", "mistake"),
    [
        ("train-[001-003", "a bracket has no partner"),
        ("train-001-003]", "a bracket has no partner"),
        ("train-[a-c]", "[a-c] is not a range"),
        ("train-[]", "[] is not a range"),
        ("train-[005-001]", "runs backwards"),
        ("train-[1-999999999]", "more than 100,000 hosts"),
        ("n[0-999]m[0-999]", "more than 100,000 hosts"),
        ("a,,b", "a name is empty"),
        ("", "a name is empty"),
        ("train 001", "'train 001' is not a host name"),
        ("-oProxyCommand=x", "is not a host name"),
    ],
)
def test_a_mistake_is_named_before_any_host_is_queried(word, mistake):
    with pytest.raises(UsageError) as refused:
        expand_hosts([word])
    assert mistake in str(refused.value)


@pytest.mark.parametrize(
    ("names", "folded", "for_slurm"),
    [
        ("", "", ""),
        ("train-007", "train-007", "train-007"),
        ("train-003 train-001 train-002 train-007", "train-[001-003,007]", "train-[001-003,007]"),
        ("train-002 ufm-01 train-001", "train-[001-002],ufm-01", "train-[001-002],ufm-01"),
        ("n9 n10 n11", "n9,n[10-11]", "n9,n[10-11]"),
        ("rack2-node1 rack2-node2 rack3-node1", "rack2-node[1-2],rack3-node1", "rack2-node[1-2],rack3-node1"),
        ("login n1-ib n2-ib n1-ib", "login,n[1-2]-ib", "login,n1-ib,n2-ib"),
        ("10.0.0.31 10.0.0.32", "10.0.0.31,10.0.0.32", "10.0.0.31,10.0.0.32"),
    ],
)
def test_names_that_count_are_one_word(names, folded, for_slurm):
    assert fold_hosts(names.split()) == folded
    assert fold_hosts(names.split(), suffixes=False) == for_slurm


@given(st.lists(NAMES, max_size=40), st.booleans())
def test_a_list_stands_for_its_names(names, suffixes):
    folded = fold_hosts(names, suffixes)
    assert sorted(expand_hosts([folded] if folded else [])) == sorted(set(names))


@pytest.mark.slurm
def test_slurm_reads_the_list_as_we_do(tmp_path):
    assert shutil.which("scontrol"), "the package slurm-client is missing"
    (tmp_path / "slurm.conf").write_text("ClusterName=c\nSlurmctldHost=localhost\n")
    names = ["login", "n1-ib", "n2-ib", *(f"n-{number:03d}" for number in range(998, 1002)), "r1-n3", "r1-n4"]
    command = ["scontrol", "show", "hostnames", fold_hosts(names, suffixes=False)]
    environment = {"SLURM_CONF": str(tmp_path / "slurm.conf"), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert sorted(done.stdout.split()) == sorted(names)
