"""Load tests of the probe: matrix products, memory copies and patterns, and drivers of other load tools.

Our own tests need only the driver (libcuda) and cuBLAS of the CUDA toolkit (libcublasLt), called by ctypes: a plain node
of a GPU site has both, but neither cupy nor cuda-python, and large products of cuBLAS reach the power cap as well. A
missing library is reported on standard error with exit status 3: that is an error of the tool, never of the hardware.

    main.py       verbs            cuda.py, blas.py   the two libraries       telemetry.py  NVML during the load
    gemm.py  hbm.py  patterns.py   our tests          together.py  all devices at once
    drive.py, shared.py     other tools               hccl_links.py  transport between NPUs
    amd.py  ascend.py  sections.py   burns, memory and copies of other vendors, by their tools
    jobs.py       starts the small jobs of `probe/smoke` with the Python of the node
"""
