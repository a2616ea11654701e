"""Records of marks and priorities of RoCE."""

from hypothesis import strategies as st

from rackwright.model.evidence.roce import Roce, RocePort

ON = st.none() | st.lists(st.integers(0, 7), unique=True, max_size=8).map(sorted)


@st.composite
def roce(draw):
    numbers = draw(st.lists(st.integers(0, 31), unique=True, max_size=3))
    return Roce(
        ports={
            f"mlx5_{number}": RocePort(
                interface=f"eth{number}",
                notifies=draw(ON),
                reacts=draw(ON),
                traffic_class=draw(st.none() | st.integers(0, 255)),
                priorities=draw(st.none() | st.dictionaries(st.integers(0, 63), st.integers(0, 7), max_size=4)),
            )
            for number in numbers
        }
    )


RECORDS = {"roce": roce()}
