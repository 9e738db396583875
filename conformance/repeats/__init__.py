"""Repetition: the same match again and again, with something changed around the bot, and what that changes.

Law: a bot that is to play the same way in every run is played the same match under the `conditions`, each alone and
all together. `talk` is what is kept of a match, `compare` finds where two of them part, `verdict` names the condition
that it takes, `closer` plays a few more to be sure of that, and `telling` puts it into words. Only `surroundings` and
`clock` touch the world. No game is known here: what is compared and drawn comes with `GamePack.repeats`.
"""
