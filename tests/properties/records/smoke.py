"""Strategies of records of small jobs, by collector id."""

from __future__ import annotations

import string

from hypothesis import strategies as st

from rackwright.model.evidence.smoke import Replica, Serving, TrainedBlock, TrainedRank, Training

WORD = st.text(string.ascii_letters + string.digits + "._- ", max_size=12)
COUNT = st.integers(0, 2**40)
CENTS = st.integers(1, 10**8).map(lambda value: value / 100)
block = st.builds(
    TrainedBlock, step=COUNT, first_loss=st.none() | CENTS, last_loss=st.none() | CENTS, tokens_per_s=CENTS
)
rank = st.builds(
    TrainedRank,
    device=st.integers(0, 15),
    product_name=WORD,
    first_digest=WORD,
    last_digest=WORD,
    tokens_per_s=st.lists(CENTS, max_size=3),
    finite=st.booleans(),
    rank=st.just(0),
)
ranks = st.lists(rank, max_size=4).map(
    lambda all_: [entry.model_copy(update={"rank": i}) for i, entry in enumerate(all_)]
)
replica = st.builds(
    Replica,
    device=st.integers(0, 15),
    product_name=WORD,
    requests=COUNT,
    failed=COUNT,
    first_token_seconds=st.lists(CENTS, max_size=3),
    tokens_per_s=st.lists(CENTS, max_size=3),
    digest=WORD,
)

RECORDS = {
    "finetune_smoke": st.builds(
        Training,
        tool=WORD,
        backend=WORD,
        parameters=COUNT,
        steps=COUNT,
        blocks=st.lists(block, max_size=3),
        ranks=ranks,
    ),
    "serving_smoke": st.builds(
        Serving, tool=WORD, prompt_tokens=COUNT, answer_tokens=COUNT, replicas=st.lists(replica, max_size=3)
    ),
}
