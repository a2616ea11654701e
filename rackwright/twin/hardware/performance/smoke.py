"""Records of small jobs on a machine: a fine-tune, and text generation.

Rates follow from the throughput of matrix products on the accelerators and from the bandwidth at which they exchange gradients.
"""

from __future__ import annotations

import hashlib

from rackwright.model.check import Expectation
from rackwright.model.design import Design
from rackwright.model.evidence.smoke import Replica, Serving, TrainedBlock, TrainedRank, Training
from rackwright.twin.hardware.performance import collectives, model
from rackwright.twin.hardware.state import Gpu, State, TwinMachine

TOOL = "torch 2.8.0"
BACKENDS = {"huawei": "hccl"}
WORDS, WIDTH, LAYERS, TOKENS = 4096, 2048, 6, 16 * 512
"""As `probe/smoke/tiny.py` has them."""
PARAMETERS = 2 * WORDS * WIDTH + WORDS + LAYERS * (12 * WIDTH**2 + 13 * WIDTH)
OPERATIONS = 6
"""Per parameter and token, forward and backward (Kaplan et al., arXiv 2001.08361, 2020)."""
TRAINING_SHARE = 0.68
"""NVIDIA/cluster-readiness-engine: 539.8 TFLOPS per H100 in training, by the 794.5 of its products (stas00/ml-engineering)."""
GRADIENT_BYTES, BLOCK, BLOCKS, READINGS, REQUESTS = 4, 10, 10, 5, 32
FIRST_LOSS, LAST_LOSS = 8.3, 0.02
PROMPT, ANSWER = 48, 64
WORD_SECONDS = 0.004
"""One pass over six layers, most of it the start of kernels. Derived: some 60 kernels of 5.7 us (superbench-results), and host work."""


def training(state: State, design: Design, node: str) -> Training:
    """The record of ``rackwright-burn finetune``."""
    machine, about = state.machines[node], model.expectation(design, node)
    gpus = model.usable_gpus(machine)
    rates = [_device_rates(state, about, machine, gpu) for gpu in gpus]
    rate_of_node = _node_rate(state, design, node, min(sum(rate) / len(rate) for rate in rates) if rates else 0.0)
    broken = [machine.performance.gpu(gpu.index).not_numbers for gpu in gpus]
    right = _right_answer(about, "training")
    return Training(
        tool=TOOL,
        backend=BACKENDS.get(about.node.accelerator.vendor if about.node.accelerator else "", "nccl"),
        parameters=PARAMETERS,
        steps=BLOCK * BLOCKS,
        blocks=[_block(state, node, number, rate_of_node, lost=any(broken)) for number in range(BLOCKS)],
        ranks=[
            TrainedRank(
                rank=rank,
                device=gpu.index,
                product_name=gpu.product_name,
                first_digest=_digest_of_gpu(gpu, "first") if _computes_wrong(machine, gpu) else right,
                last_digest=_digest_of_gpu(gpu, "last") if machine.performance.gpu(gpu.index).corrupt_words else right,
                tokens_per_s=rates[rank],
                finite=not broken[rank],
            )
            for rank, gpu in enumerate(gpus)
        ],
    )


def serving(state: State, design: Design, node: str) -> Serving:
    """The record of ``rackwright-burn serving``."""
    machine, about = state.machines[node], model.expectation(design, node)
    return Serving(
        tool=TOOL,
        prompt_tokens=PROMPT,
        answer_tokens=ANSWER,
        replicas=[_replica(state, about, machine, gpu) for gpu in model.usable_gpus(machine)],
    )


def _replica(state: State, about: Expectation, machine: TwinMachine, gpu: Gpu) -> Replica:
    speed = machine.performance.gpu(gpu.index)
    answered = max(0, REQUESTS - speed.failed_requests)
    word = WORD_SECONDS / model.clock(machine, gpu)
    noise = [model.noise(state, gpu.serial, "serving", str(number)) for number in range(answered)]
    right = _digest_of_gpu(gpu, "answers") if _computes_wrong(machine, gpu) else _right_answer(about, "serving")
    return Replica(
        device=gpu.index,
        product_name=gpu.product_name,
        requests=REQUESTS,
        failed=REQUESTS - answered,
        first_token_seconds=[round(word / factor, 6) for factor in noise],
        tokens_per_s=[round(factor / word, 1) for factor in noise],
        digest=right if answered else "",
    )


def _device_rates(state: State, about: Expectation, machine: TwinMachine, gpu: Gpu) -> list[float]:
    part = about.node.accelerator
    peak = (part.bf16_dense_tflops if part else None) or 1.0
    best = model.most(about, "burn.gemm_tflops", peak, precision="bf16") * TRAINING_SHARE
    share = model.clock(machine, gpu) * machine.performance.gpu(gpu.index).precisions.get("bf16", 1.0)
    rate = best * share * 1e12 / (OPERATIONS * PARAMETERS)
    return [round(rate * model.noise(state, gpu.serial, "training", str(number)), 1) for number in range(READINGS)]


def _node_rate(state: State, design: Design, node: str, slowest: float) -> float:
    """Tokens per second of the node: all wait for the slowest, and then for the gradients of all."""
    count = len(model.usable_gpus(state.machines[node]))
    if count < 2:
        return slowest * count
    collective = next(result for result in collectives.inside(state, design, node) if result.collective == "all_reduce")
    speed = max(row.busbw_gbytes_per_s for row in collective.rows) * 1e9
    exchange = PARAMETERS * GRADIENT_BYTES * 2 * (count - 1) / count / speed
    return TOKENS * count / (TOKENS / slowest + exchange)


def _block(state: State, node: str, number: int, rate: float, *, lost: bool) -> TrainedBlock:
    fall = (LAST_LOSS / FIRST_LOSS) ** (1 / BLOCKS)
    first = FIRST_LOSS * fall**number
    return TrainedBlock(
        step=BLOCK * (number + 1),
        first_loss=None if lost and number else round(first, 6),
        last_loss=None if lost else round(first * fall, 6),
        tokens_per_s=round(rate * model.noise(state, node, "training", str(number)), 1),
    )


def _computes_wrong(machine: TwinMachine, gpu: Gpu) -> bool:
    speed = machine.performance.gpu(gpu.index)
    return speed.wrong_always or speed.mismatches > 0


def _right_answer(about: Expectation, what: str) -> str:
    return hashlib.sha256(f"{what} {about.node.server.accelerator}".encode()).hexdigest()


def _digest_of_gpu(gpu: Gpu, what: str) -> str:
    return hashlib.sha256(f"{what} {gpu.serial}".encode()).hexdigest()
