"""Strategies of records of collectives, by collector id."""

from __future__ import annotations

from hypothesis import strategies as st

from rackwright.model.evidence.collective import Collective, CollectiveRow, Collectives, NodeCollectives, Rank

CENTS = st.integers(1, 10**8).map(lambda value: value / 100)


def rows(wrong: st.SearchStrategy[int | None]) -> st.SearchStrategy[list[CollectiveRow]]:
    """Both ways of every size, smallest first."""

    @st.composite
    def both(draw: st.DrawFn) -> list[CollectiveRow]:
        sizes = sorted(draw(st.sets(st.integers(1, 2**36), min_size=1, max_size=3)))
        return [
            CollectiveRow(
                bytes=size,
                in_place=way,
                microseconds=draw(CENTS),
                algbw_gbytes_per_s=draw(CENTS),
                busbw_gbytes_per_s=draw(CENTS),
                wrong=draw(wrong),
            )
            for size in sizes
            for way in (False, True)
        ]

    return both()


@st.composite
def collective(draw: st.DrawFn, library: str, most: int) -> Collective:
    """Up to `most` nodes of up to two accelerators that all take the same ways."""
    nodes = draw(
        st.lists(st.from_regex(r"[a-z]{1,6}-[0-9]{1,3}", fullmatch=True), min_size=1, max_size=most, unique=True)
    )
    per = draw(st.integers(1, 2))
    local = draw(st.sampled_from([[], ["p2p"], ["shm"], ["p2p", "shm"]]))
    network = draw(st.sampled_from([[], ["infiniband"], ["roce"], ["socket"]])) if len(nodes) > 1 else []
    algorithm = draw(st.sampled_from(["", "RING", "NVLS", "NVLSTREE"]))
    multicast = ["nvls"] if algorithm.startswith("NVLS") and draw(st.booleans()) else []
    direct = draw(st.booleans()) if network else None
    ranks = [
        Rank(
            rank=number * per + device,
            node=node,
            device=device,
            pci_bus_id=f"0000:{device:02x}:00",
            product_name="NVIDIA H100 80GB HBM3",
            transports=sorted([*local, *network, *multicast]),
            adapters=[f"mlx5_{device}"] if network and network != ["socket"] else [],
            gpudirect=direct,
        )
        for number, node in enumerate(nodes)
        for device in range(per)
    ]
    counted = draw(st.booleans())
    return Collective(
        collective=draw(st.sampled_from(["all_reduce", "all_gather", "reduce_scatter", "all_to_all"])),
        nodes=nodes,
        ranks=ranks,
        library=library,
        library_version=draw(st.sampled_from(["", "2.30.4"])),
        tool=f"{library}-tests 2.17.8",
        iterations=20 if counted else None,
        warmup=1 if counted else None,
        datatype="float",
        algorithm=algorithm,
        protocol="SIMPLE" if algorithm else "",
        rows=draw(rows(st.none() | st.integers(0, 1000))),
    )


@st.composite
def ascend(draw: st.DrawFn) -> Collective:
    """Algorithm bandwidth decides the bus bandwidth; nothing is proven."""
    count = draw(st.integers(2, 4))
    ways = draw(st.sampled_from([[], ["p2p"], ["roce"], ["other"]]))
    ranks = [
        Rank(
            rank=i,
            node="npu-001",
            device=i,
            pci_bus_id="",
            product_name="910B",
            transports=ways,
            adapters=[],
            gpudirect=None,
        )
        for i in range(count)
    ]
    run_rows = [
        row.model_copy(update={"in_place": False})
        for row in draw(rows(st.sampled_from([None, 0, 1])))
        if not row.in_place
    ]
    factor = 2 * (count - 1) / count
    return Collective(
        collective="all_reduce",
        nodes=["npu-001"],
        ranks=ranks,
        library="hccl",
        library_version="",
        tool="hccl_test",
        iterations=20,
        warmup=5,
        datatype="fp32",
        algorithm="",
        protocol="",
        rows=[row.model_copy(update={"busbw_gbytes_per_s": row.algbw_gbytes_per_s * factor}) for row in run_rows],
    )


def results(library: str, most: int) -> st.SearchStrategy[list[Collective]]:
    """One to three runs."""
    return st.lists(collective(library, most), min_size=1, max_size=3)


RECORDS = {
    "nccl_tests": st.builds(NodeCollectives, results=results("nccl", 1)),
    "rccl_tests": st.builds(NodeCollectives, results=results("rccl", 1)),
    "nccl_group": st.builds(Collectives, results=results("nccl", 3)),
    "rccl_group": st.builds(Collectives, results=results("rccl", 3)),
    "hccl_test": st.builds(NodeCollectives, results=st.lists(ascend(), min_size=1, max_size=2)),
}
