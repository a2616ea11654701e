"""Faults of GPU memory: ECC, row remapping, size, speed."""

from __future__ import annotations

from dataclasses import replace

from rackwright.twin.faults.changes import change_gpu, set_gpu, set_gpu_health, set_gpu_performance
from rackwright.twin.faults.fault import Fault

FAULTS = (
    Fault(
        name="ecc-corrected-dram",
        summary="The memory of a GPU has corrected millions of errors",
        apply=set_gpu_health(2, ecc_corrected_dram=31_400_112),
        checks={"gpu.ecc_corrected"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="ecc-corrected-sram",
        summary="The caches of a GPU have corrected thousands of errors",
        apply=set_gpu_health(6, ecc_corrected_sram=14_210),
        checks={"gpu.ecc_corrected"},
        names={"GPU {gpu[6]}"},
    ),
    Fault(
        name="ecc-off",
        summary="ECC of a GPU was switched off",
        apply=set_gpu_health(1, ecc_enabled=False),
        checks={"gpu.ecc_enabled"},
        names={"GPU {gpu[1]}"},
    ),
    Fault(
        name="ecc-sram-uncorrected",
        summary="The caches of a GPU have seen errors that cannot be corrected",
        apply=set_gpu_health(3, ecc_uncorrected_sram=7),
        checks={"gpu.sram_uncorrected"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="ecc-uncorrectable",
        summary="A GPU has counted uncorrectable memory errors",
        apply=set_gpu(7, ecc_uncorrected_volatile=2, ecc_uncorrected_aggregate=2),
        checks={"gpu.ecc_uncorrected"},
        names={"GPU {gpu[7]}"},
    ),
    Fault(
        name="ecc-uncorrectable-once",
        summary="A GPU has seen an uncorrectable memory error long ago",
        apply=set_gpu(6, ecc_uncorrected_aggregate=2),
        checks={"gpu.ecc_uncorrected"},
        names={"GPU {gpu[6]}"},
    ),
    Fault(
        name="gpu-few-spare-rows",
        summary="A memory bank of a GPU has few spare rows left",
        apply=set_gpu_health(7, spare_banks=(2557, 0, 0, 3, 0)),
        checks={"gpu.spare_rows"},
        names={"GPU {gpu[7]}"},
    ),
    Fault(
        name="gpu-memory-less",
        summary="A GPU has lost a stack of its memory",
        apply=change_gpu(2, lambda gpu: replace(gpu, memory_bytes=gpu.memory_bytes * 4 // 5)),
        checks={"gpu.memory"},
        names={"GPU {gpu[2]}"},
    ),
    Fault(
        name="gpu-no-spare-rows",
        summary="A memory bank of a GPU has no spare rows left",
        apply=set_gpu_health(3, spare_banks=(2558, 0, 0, 1, 1)),
        checks={"gpu.spare_rows"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-pages-retired",
        summary="A GPU has taken dozens of bad pages of its memory out of use",
        apply=set_gpu_health(3, retired_pages=75),
        checks={"gpu.retired_pages"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-row-remap-failed",
        summary="A GPU has failed to remap a row of its memory",
        apply=set_gpu(4, row_remap_failed=True),
        checks={"gpu.row_remap"},
        names={"GPU {gpu[4]}"},
    ),
    Fault(
        name="gpu-row-remap-pending",
        summary="A GPU has a row remap pending and needs a reset",
        apply=set_gpu(3, row_remap_pending=True),
        checks={"gpu.row_remap"},
        names={"GPU {gpu[3]}"},
    ),
    Fault(
        name="gpu-rows-used-up",
        summary="A GPU has remapped more rows than a part may",
        apply=set_gpu_health(5, remapped_rows=601),
        checks={"gpu.row_remap"},
        names={"GPU {gpu[5]}"},
    ),
    Fault(
        name="hbm-corrupts",
        summary="The memory of a GPU changes data without an ECC event",
        apply=set_gpu_performance(6, corrupt_words=3),
        checks={"hbm.corruption"},
        names={"GPU {gpu[6]}"},
    ),
    Fault(
        name="hbm-slow",
        summary="The memory of a GPU is a fifth slower",
        apply=set_gpu_performance(2, memory=0.8),
        checks={"hbm.bandwidth"},
        names={"GPU {gpu[2]}"},
    ),
)
