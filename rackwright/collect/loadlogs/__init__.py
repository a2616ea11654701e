"""Parsers of outputs that several collectors share: nccl-tests and its ports, perftest, fio, sections of our drivers.

Text in, records out; pure. A collector is a file that is executed on its own and cannot import another one, so what two
of them parse in the same way is here.
"""
