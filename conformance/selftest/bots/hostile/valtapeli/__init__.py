"""Hostile Valtapeli bots: programs that attack what runs them in the ways that this game gives them.

Law: each does its harm to the kit's process and its own streams alone, within limits that it sets itself: nothing runs
for longer than two minutes or takes more than 600 MiB. Attacks that have nothing to do with a game are with those of
Prime Daihinmin.
"""
