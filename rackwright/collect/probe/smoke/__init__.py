"""Two small jobs as users run them, with the PyTorch of the node: a fine-tune, and text generation behind an HTTP server.

These files are written to a folder on the node and run there by the Python that the site names
(``acceptance.torch_python``), because the probe itself runs without the packages of the node. The same code runs on CUDA,
on ROCm (which PyTorch calls cuda) and on Ascend (``torch_npu``).

    device.py  the accelerators of the node    tiny.py   the model, its data, its digests
    train.py   one rank of the fine-tune       answer.py  one server    clients.py  its clients
"""
