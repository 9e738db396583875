"""How fast the kit is, as ratios measured in one run: `python -m benchmarks` from the repository root.

Law: no figure stands alone. Both sides of a ratio are measured turn by turn in the same run, and medians are
compared; nothing here fails because a machine is slow.
"""
