from datetime import UTC, datetime
from pathlib import Path

from rackwright.collect import Burning, Store, burn_in, burn_plan, burnin_tests, load_merged, longest_burn
from rackwright.collect.output import Output, unanswered_outputs
from rackwright.collect.transports import fleet
from rackwright.model.access import Access, Secret
from tests.build import site_design

ACCESS = Access("root", Path("key"), Path("known_hosts"), "admin", Secret("secret"), None)
NODES = ["train-001", "train-002", "slurm-01"]
NOW = datetime(2026, 11, 21, 8, 0, tzinfo=UTC)
BURNING = Burning(cooldown=10, at_once=1, tests=("link_soak", "gemm_burn"))


def test_tests_come_in_one_order_and_only_where_they_are_owed():
    planned = burn_plan(site_design(), NODES, BURNING)
    assert {node: [ask.id for ask in asks] for node, asks in planned.asks.items()} == {
        "train-001": ["gemm_burn", "link_soak"],
        "train-002": ["gemm_burn", "link_soak"],
    }
    assert planned.owed == {"train-001": ("gemm_burn", "link_soak"), "train-002": ("gemm_burn", "link_soak")}
    assert planned.bmcs == {}


def test_all_tests_are_those_of_single_nodes_and_of_their_vendor():
    planned = burn_plan(site_design(), NODES, Burning(cooldown=0, at_once=1)).owed["train-001"]
    assert set(planned) <= set(burnin_tests())
    assert "rccl_tests" in burnin_tests()
    assert "rccl_tests" not in planned
    assert "nccl_group" not in burnin_tests()


def test_the_longest_it_takes_counts_the_rounds_of_the_bound():
    planned = burn_plan(site_design(), NODES, BURNING)
    seconds_of_node = sum(ask.seconds for ask in planned.asks["train-001"]) + 10
    assert longest_burn(planned, BURNING) == 2 * seconds_of_node
    assert longest_burn(planned, Burning(10, 2, BURNING.tests)) == seconds_of_node


def test_each_answer_is_kept_when_it_comes_and_a_dead_node_has_errors(tmp_path, monkeypatch):
    store = Store(tmp_path / "evidence")
    events = []

    async def hosts(targets, access, zipapp, patience):
        assert patience.at_once == 1
        for host in targets:
            assert host.cooldown == 10
            if host.node == "train-001":
                done = Output(host.node, "gemm_burn", "", b"nonsense", rc=0)
                yield fleet.Arrival(host, [done], through=False)
            yield fleet.Arrival(host, unanswered_outputs(host.node, host.asks[1:], "it died"))

    monkeypatch.setattr(fleet, "ask_hosts", hosts)
    evidence = burn_in(
        site_design(), NODES, ACCESS, store, BURNING, lambda kind, data: events.append((kind, data)), now=lambda: NOW
    )
    assert [data["asked"] for kind, data in events if kind == "host"] == [["gemm_burn"], ["link_soak"], ["link_soak"]]
    assert set(evidence) == {"train-001", "train-002"}
    assert "cannot be read" in evidence["train-001"].errors["gemm_burn"]
    assert evidence["train-002"].errors["link_soak"] == "it died"
    assert "was never asked" in evidence["train-002"].errors["gemm_burn"]
    assert store.purpose(store.latest("load")) == "load"
    assert load_merged(store) == evidence


def test_a_sum_of_limits_bounds_a_host_that_is_asked_in_turn():
    planned = burn_plan(site_design(), NODES, BURNING)
    host = fleet.FleetHost("train-001", "10.0.0.1", planned.asks["train-001"], cooldown=10)
    assert host.seconds == sum(ask.seconds for ask in host.asks) + 10
    assert fleet.FleetHost("train-001", "10.0.0.1", host.asks).seconds == max(ask.seconds for ask in host.asks)


def test_what_heat_would_disturb_comes_before_what_heats():
    order = burnin_tests()
    assert (
        order.index("nvbandwidth") < order.index("hbm_bandwidth") < order.index("gemm_burn") < order.index("dcgmi_diag")
    )
    planned = burn_plan(site_design(), NODES, Burning(cooldown=0, at_once=1)).asks["train-001"]
    assert [ask.collector for ask in planned] == [name for name in order if name in {ask.collector for ask in planned}]
