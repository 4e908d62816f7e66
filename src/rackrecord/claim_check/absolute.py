"""An absolute figure against the published results: which result it is, and where that stands."""

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from rackrecord.catalog.accelerators import accelerator_name
from rackrecord.catalog.benchmarks import round_order
from rackrecord.catalog.claim import Claim
from rackrecord.claim_check.results import Figure, Group, figure_of, scenario_order, sizes_text
from rackrecord.claim_check.wording import listed, plain, published_text, rate_text
from rackrecord.data import Data
from rackrecord.quantities import percent

_LEAST_DIGITS = 2


class Standing(Data):
    """Where a figure stands among the same accelerator's results of one size, scenario and round.

    `share_of_median` is the figure's per-accelerator rate over that size's median.
    """

    group: Group
    same_size: bool
    share_of_median: Decimal


class AbsoluteCheck(Data):
    """What the results say about an absolute figure.

    `result` is the published result that the figure is, at the claim's printed precision (two digits at
    least), None where there is none; `not_comparable` says why it is no evidence. `highest` is the best
    result of the size (any size where none is stated), and `reaches` whether it reaches the claim at that
    precision; None without results.
    """

    result: Figure | None
    not_comparable: str | None
    highest: Figure | None
    reaches: bool | None
    standings: tuple[Standing, ...]
    sentence: str


class Absolute(msgspec.Struct, frozen=True):
    """An absolute figure to be checked, with its names resolved."""

    benchmark: str
    subject: str
    value: Decimal
    unit: str
    round: str | None
    scenario: str | None
    size: int | None


def printed_unit(value: Decimal) -> Decimal:
    """The unit of a figure's last printed digit that is not a trailing zero, of the second digit at least.

    5,750,000 was printed to ten thousands, 11,229.38 to hundredths; 5,000,000 is read as 5.0 million.
    """
    digits = value.normalize().as_tuple()
    exponent = int(digits.exponent) - max(0, _LEAST_DIGITS - len(digits.digits))
    return Decimal(1).scaleb(exponent)


def check_absolute(asked: Absolute, claims: Sequence[Claim], found: Sequence[Group]) -> AbsoluteCheck:
    """Hold an absolute figure against every result on the benchmark; `found` are the comparable ones, in
    groups.
    """
    fitting = [group for group in found if _fits(asked, group)]
    highest = max((group.best for group in fitting), key=lambda best: best.value, default=None)
    result = _matching(asked, claims)
    if result is not None and result.accelerator_count and len(result.accelerators) == 1:
        figure = figure_of(result)
        reason = _not_comparable(result, fitting)
        standings = () if reason else _standings(figure, found)
        text = _matched_text(asked, figure, standings, reason)
        reaches = None if reason and highest is None else reason is None or _reaches(asked, highest)
        return AbsoluteCheck(
            result=figure,
            not_comparable=reason,
            highest=highest,
            reaches=reaches,
            standings=standings,
            sentence=text,
        )
    return AbsoluteCheck(
        result=None,
        not_comparable=None,
        highest=highest,
        reaches=_reaches(asked, highest) if highest is not None else None,
        standings=_standings(highest, found) if highest is not None else (),
        sentence=_unmatched_text(asked, highest, found),
    )


def _fits(asked: Absolute, group: Group) -> bool:
    return (
        group.accelerator == asked.subject
        and group.unit == asked.unit
        and asked.round in (None, group.round)
        and asked.scenario in (None, group.scenario)
        and asked.size in (None, group.size)
    )


def _matching(asked: Absolute, claims: Sequence[Claim]) -> Claim | None:
    """The published result nearest to the figure within half a unit of its last printed digit."""
    within = printed_unit(asked.value) / 2
    near = [
        claim
        for claim in claims
        if asked.subject in claim.accelerators
        and claim.unit == asked.unit
        and asked.round in (None, claim.round)
        and asked.scenario in (None, claim.scenario)
        and asked.size in (None, claim.accelerator_count)
        and abs(claim.value - asked.value) <= within
    ]
    return min(near, key=lambda claim: (abs(claim.value - asked.value), claim.id), default=None)


def _reaches(asked: Absolute, highest: Figure | None) -> bool:
    return highest is not None and highest.value >= asked.value - printed_unit(asked.value) / 2


def _not_comparable(claim: Claim, fitting: Sequence[Group]) -> str | None:
    """Why a result is not among the comparable ones."""
    if any(claim.id in group.claims for group in fitting):
        return None
    if claim.division == "open":
        return "it is in the open division, where model or accuracy may differ from the reference"
    if claim.availability not in ("available", "preview"):
        return f"its availability is {claim.availability}"
    if not claim.valid:
        return "the source marks it as invalid"
    return f"it is in the suite {listed(claim.suites)}"


def _standings(figure: Figure, found: Sequence[Group]) -> tuple[Standing, ...]:
    alike = (figure.accelerator, figure.scenario, figure.round, figure.unit)
    return tuple(
        Standing(
            group=group,
            same_size=group.size == figure.accelerators,
            share_of_median=figure.per_accelerator / group.median,
        )
        for group in found
        if (group.accelerator, group.scenario, group.round, group.unit) == alike
    )


def figure_text(benchmark: str, figure: Figure) -> str:
    """A published figure with what a reader needs to find it."""
    return (
        f"{figure.submitter}, {benchmark} {figure.scenario} of {figure.round} on {figure.accelerators} "
        f"accelerators, {published_text(figure.value)} {figure.unit}, "
        f"{rate_text(figure.per_accelerator)} per accelerator"
    )


def _matched_text(asked: Absolute, figure: Figure, standings: Sequence[Standing], reason: str | None) -> str:
    text = f"It is a published result: {figure_text(asked.benchmark, figure)}"
    if reason is not None:
        return f"{text}; not comparable, since {reason}."
    others = [
        f"{percent(standing.share_of_median)} of the median on {standing.group.size}"
        for standing in standings
        if not standing.same_size
    ]
    return f"{text}; per accelerator that is {listed(others)}." if others else f"{text}."


def _unmatched_text(asked: Absolute, highest: Figure | None, found: Sequence[Group]) -> str:
    wanted = [asked.scenario, f"of {asked.round}" if asked.round is not None else None]
    wanted.append(f"on {asked.size} accelerators" if asked.size is not None else None)
    detail = "".join(f" {part}" for part in wanted if part is not None)
    name = accelerator_name(asked.subject)
    if highest is not None:
        reach = "reaches" if _reaches(asked, highest) else "does not reach"
        return (
            f"No published result of {name}{detail} is {plain(asked.value)} {asked.unit}; "
            f"the highest {reach} it: {figure_text(asked.benchmark, highest)}."
        )
    mine = [group for group in found if group.accelerator == asked.subject]
    if not mine:
        return f"No comparable result of {name} on {asked.benchmark}."
    units = sorted({group.unit for group in mine})
    scenarios = sorted({group.scenario for group in mine}, key=scenario_order)
    rounds = sorted({group.round for group in mine}, key=round_order)
    return (
        f"No comparable result of {name} on {asked.benchmark}{detail} in {asked.unit}; there are some in "
        f"{listed(units)}, {listed(scenarios)}, of {listed(rounds)}, on {sizes_text(mine)} accelerators."
    )
