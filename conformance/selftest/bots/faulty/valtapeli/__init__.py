"""Faulty Valtapeli bots: each one is the correct bot of `base.py` with exactly one named fault.

`catalogue.FAULTS` is the whole table; `python3 THIS_FOLDER FAULT` plays one, `--list` prints them all.
"""
