"""How often a job should save its state, and what share of its time is left for work.

Pure arithmetic of published formulas; all times are in seconds.
"""

from __future__ import annotations

import math


def young_interval(stall: float, mtbi: float) -> float:
    """Time between checkpoints that loses least, to first order: sqrt(2 C M).

    Source: J. W. Young, A first order approximation to the optimum checkpoint interval, CACM 17(9), 1974.
    """
    return math.sqrt(2 * stall * mtbi)


def daly_interval(stall: float, mtbi: float) -> float:
    """The same to higher order, for a stall C that is not small against the mean time M.

    sqrt(2 C M) (1 + sqrt(C / 2M) / 3 + (C / 2M) / 9) - C where C < 2M, else M. Source: J. T. Daly, A higher order
    estimate of the optimum checkpoint interval for restart dumps, FGCS 22(3), 2006, eq. 37. Its figures 3 to 5 give
    117, 57 and 9.1 min for C = 5 min and M = 24 h, 6 h and 15 min.
    """
    if stall >= 2 * mtbi:
        return mtbi
    share = stall / (2 * mtbi)
    return young_interval(stall, mtbi) * (1 + math.sqrt(share) / 3 + share / 9) - stall


def goodput(interval: float, stall: float, mtbi: float, restart: float) -> float:
    """Share of the time that moves the job forward: 1 - C/T - T/(2 M) - R/M, never below 0.

    C/T is lost to writing, T/(2 M) to work done again (half an interval per interruption on average), R/M to restarts.
    Source: the cost function that Young (1974) minimises, with the restart added.
    """
    if interval <= 0 or mtbi <= 0:
        return 0.0
    return max(0.0, 1 - stall / interval - interval / (2 * mtbi) - restart / mtbi)
