"""The named repairs and checks of official rows: each one rule, each leaving a typed caveat on the claim."""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec

from rackrecord.catalog.claim import SCENARIOS, Caveat, CaveatCode, Claim

_SCENARIO_BY_LETTERS = {scenario.casefold(): scenario for scenario in SCENARIOS}
_NAMED_COUNT = re.compile(r"\(x(\d+)(?:x(\d+))?\)")
_DIVISION_NOTE = re.compile(
    r"\b(closed|open|network)[\s_-]+(?:division|submission|category)\b|^\s*(closed|open|network)\s*$",
    re.IGNORECASE,
)


class UnitRepair(msgspec.Struct, frozen=True):
    """One known mislabeling: in this round, benchmark and scenario, figures labeled `found` count `unit`."""

    round: str
    benchmark: str
    scenario: str
    found: str
    unit: str


UNIT_REPAIRS = (
    # eight rows; the same systems' Server figures, labeled Tokens/s, are of the same size
    UnitRepair("v5.1", "llama3.1-8b", "Interactive", found="Queries/s", unit="Tokens/s"),
)


def repair_unit(round: str, benchmark: str, scenario: str, unit: str) -> tuple[str, Caveat | None]:
    """The unit that the figure really counts, by the repair named for its round, benchmark and scenario."""
    for repair in UNIT_REPAIRS:
        if (round, benchmark, scenario, unit) == (
            repair.round,
            repair.benchmark,
            repair.scenario,
            repair.found,
        ):
            text = f"published as {unit}; the figure counts {repair.unit} ({round} {benchmark} {scenario})"
            return repair.unit, Caveat(code=CaveatCode.UNIT_REPAIRED, text=text)
    return unit, None


def repair_scenario(scenario: str) -> tuple[str, Caveat | None]:
    """A scenario in its usual spelling; an unknown one stays as it is."""
    usual = _SCENARIO_BY_LETTERS.get(scenario.casefold(), scenario)
    if usual == scenario:
        return scenario, None
    return usual, Caveat(
        code=CaveatCode.SCENARIO_SPELLING, text=f"the scenario is written {scenario!r} in the source"
    )


def inferred_caveat(inferred: bool) -> Caveat | None:
    """Discloses that the source marks the result as inferred, as it does nearly every Interactive row since
    v6.0.
    """
    if not inferred:
        return None
    return Caveat(code=CaveatCode.INFERRED, text="the source marks this result as inferred")


def division_note_caveat(division: str, notes: str) -> Caveat | None:
    """Discloses that the free-text note speaks of another division than the row's own, which stands."""
    named = {(match[1] or match[2]).casefold() for match in _DIVISION_NOTE.finditer(notes)}
    if not named or division in named:
        return None
    text = f"the row's division is {division}, its note says {' and '.join(sorted(named))}"
    return Caveat(code=CaveatCode.DIVISION_NOTE_CONFLICT, text=text)


def accelerator_count(
    accelerator: str, *, nodes: int | None, per_node: int | None, total: int | None
) -> tuple[int | None, Caveat | None]:
    """How many accelerators a system has, from every figure the row gives.

    The total where the row has one (since v6.0), else nodes times accelerators per node. None for a system
    without accelerators, where no figure is given, and, with a caveat that has all the figures, where two
    disagree (one system has `(x87)` in its accelerator's name, and 88 as its total).
    """
    named = sum(int(match[1]) * int(match[2] or 1) for match in _NAMED_COUNT.finditer(accelerator))
    product = nodes * per_node if nodes and per_node else None
    given = {
        "total": total or None,
        f"{nodes} nodes x {per_node} each": product,
        "accelerator's name": named or None,
    }
    if not _NAMED_COUNT.sub("", accelerator).strip():
        given["accelerators named"] = 0 if total or product else None
    counts = {figure for figure in given.values() if figure is not None}
    if len(counts) > 1:
        figures = ", ".join(f"{what} {figure}" for what, figure in given.items() if figure is not None)
        return None, Caveat(code=CaveatCode.COUNT_CONFLICT, text=f"accelerator counts disagree: {figures}")
    return next(iter(counts), None), None


def server_above_offline(claims: Iterable[Claim]) -> dict[str, Caveat]:
    """Caveats, by claim id, for Server results above the Offline result of the same system and model.

    Offline has no latency limit, so a Server figure above it says that the Offline run fell short of what the
    system can do, or that the two ran different software. Samples/s and queries/s are comparable here:
    LoadGen sends one sample a query in Server.
    """
    offline: dict[tuple[str | None, ...], Claim] = {}
    server: dict[tuple[str | None, ...], Claim] = {}
    for claim in claims:
        if claim.scenario not in ("Offline", "Server"):
            continue
        unit = "Samples/s" if claim.unit == "Queries/s" else claim.unit
        system = (claim.round, claim.division, claim.submitter, claim.platform)
        key = (*system, claim.benchmark, claim.accuracy_target, claim.model_as_submitted, unit)
        (offline if claim.scenario == "Offline" else server)[key] = claim
    caveats = {}
    for run, claim in server.items():
        other = offline.get(run)
        if other is not None and claim.value > other.value:
            figures = f"Server {claim.value:f} is above Offline {other.value:f} {other.unit}"
            text = f"{figures} on the same system"
            caveats[claim.id] = Caveat(code=CaveatCode.SERVER_ABOVE_OFFLINE, text=text)
    return caveats
