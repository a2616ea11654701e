"""The steps of a bring-up in order, on a real site or on a twin, and the code that connects the stages.

pipeline.py       provision -> onboard -> collect -> judge -> gate -> report, one function per step
rehearsal.py      the same steps on a digital twin, with faults
fleet_judgement.py, repeat_judgement.py   stored evidence -> verdicts
"""
