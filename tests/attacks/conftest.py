from tests.handovers import cluster, evidence, handed_over, signed_once, work

__all__ = ["cluster", "evidence", "handed_over", "signed_once", "work"]
