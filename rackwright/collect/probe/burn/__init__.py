"""Load that the probe carries: matrix products, memory copies and patterns, and the drivers of other load tools.

Our own tests need the driver (libcuda), cuBLAS of the CUDA toolkit (libcublasLt) and nothing else: both are called by ctypes, because a
plain node of a GPU site has them, and has neither cupy nor cuda-python; large products of cuBLAS reach the power cap as those do. A library
that is not there is reported on standard error with exit status 3: that is an error of the tool, never of the hardware.

    main.py       verbs            cuda.py, blas.py   the two libraries       telemetry.py  NVML while it works
    gemm.py  hbm.py  patterns.py   our tests          together.py  all devices at once
    drive.py, shared.py     other tools               ways.py        which way NPUs reached each other
    amd.py  ascend.py  sections.py   burns, memory and copies of other vendors, by their tools
    jobs.py       starts the small jobs of `probe/smoke` with the node's own Python
"""
