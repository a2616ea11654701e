import pytest

from rackwright.adopt.hostlist import expand_hosts, fold_hosts
from rackwright.base.errors import UsageError


@pytest.mark.parametrize(
    ("words", "hosts"),
    [
        (["train-[001-003]"], ["train-001", "train-002", "train-003"]),
        (["a[1-2,5],login1", "a2"], ["a1", "a2", "a5", "login1"]),
        (["r[1-2]n[08-09].example.com"], [f"r{r}n0{n}.example.com" for r in (1, 2) for n in (8, 9)]),
        (["10.0.0.32", "fd00::1"], ["10.0.0.32", "fd00::1"]),
        (["n[9-11]"], ["n9", "n10", "n11"]),
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


def test_folding_is_the_inverse():
    for text in ("train-[001-003,007]", "gpu1", "a[1,3],b2", "10.0.0.32"):
        assert fold_hosts(expand_hosts([text])) == text
