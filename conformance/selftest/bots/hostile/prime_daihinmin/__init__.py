"""Hostile Prime Daihinmin bots: programs that attack what runs them.

Law: each does its harm to the kit's process, its streams or its folders alone, within limits that it sets itself:
nothing runs for longer than two minutes, takes more than 600 MiB or starts more than a few hundred processes.
"""
