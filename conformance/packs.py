"""The registry of games.

Law: one entry a game. Built-in packs are named by module and imported when they are asked for; plug-ins come from
the entry point group `pdcheck.games`, by the name they register.
"""

from __future__ import annotations

from importlib import import_module

from pdcheck.scenarios.pack import GamePack

BUILT_IN = {
    "prime-daihinmin": "pdcheck.scenarios.prime_daihinmin.pack:PACK",
    "valtapeli": "pdcheck.scenarios.valtapeli.pack:PACK",
}


class UnknownGame(LookupError):
    """No game of that name is installed; the message lists those that are."""


def game_names() -> list[str]:
    """All games installed, built-in ones first."""
    from importlib import metadata

    plugins = {entry.name for entry in metadata.entry_points(group="pdcheck.games")}
    return [*BUILT_IN, *sorted(plugins - set(BUILT_IN))]


def load_pack(name: str) -> GamePack:
    """The pack of one game. Raises UnknownGame, or TypeError when a plug-in gives something else."""
    if name in BUILT_IN:
        module, _, attribute = BUILT_IN[name].partition(":")
        pack = getattr(import_module(module), attribute)
    else:
        from importlib import metadata

        found = [entry for entry in metadata.entry_points(group="pdcheck.games") if entry.name == name]
        if not found:
            raise UnknownGame(f"no game {name!r} is installed (there are: {', '.join(game_names())})")
        pack = found[0].load()
    if not isinstance(pack, GamePack):
        raise TypeError(f"the plug-in of game {name!r} gives a {type(pack).__name__}, not a GamePack")
    return pack
