"""`pdcheck explain`, `requirements` and `games`: what the kit knows, without any bot."""

from __future__ import annotations

from pdcheck.conformance.commands.common import pack_of
from pdcheck.conformance.packs import game_names, load_pack
from pdcheck.conformance.usage import UsageError
from pdcheck.referee.catalogue import UnknownRequirement


def run_explain(requirement: str, game: str) -> int:
    """Print one requirement: the game's, or, where it has none of that ID, that of the first game that has."""
    wanted = requirement.upper()
    catalogue = pack_of(game).catalogue()
    if wanted not in catalogue:
        others = (load_pack(name).catalogue() for name in game_names() if name != game)
        catalogue = next((other for other in others if wanted in other), catalogue)
    try:
        entry = catalogue[wanted]
    except UnknownRequirement as error:
        raise UsageError(str(error)) from None
    print(f"{entry.id} ({entry.level}) {entry.title}\n\n{entry.text}\n")
    for name, text in (
        ("good", entry.good),
        ("bad", entry.bad),
        ("fix", entry.fix),
        ("source", entry.source),
    ):
        indented = text.strip().replace("\n", "\n          ")
        print(f"  {name:>6}  {indented}")
    return 0


def run_requirements(game: str, *, markdown: bool = False) -> int:
    """Print the whole catalogue: what each requirement is put to the test by, and the faulty bots that break it."""
    from pdcheck.conformance.selftest import coverage

    pack = pack_of(game)
    print(coverage.markdown(pack) if markdown else coverage.plain(pack), end="" if markdown else "\n")
    return 0


def run_games() -> int:
    """Print the games, their rule sets and house players."""
    for name in game_names():
        pack = load_pack(name)
        rules = ", ".join(f"{rule} (default)" if rule == pack.default_rules else rule for rule in pack.rules)
        print(f"{pack.name}: {pack.title}\n  suite  {pack.suite}\n  rules  {rules}\n  house players")
        for player, words in pack.players.items():
            print(f"    house:{player:18} {' '.join(words.split())}")
    return 0
