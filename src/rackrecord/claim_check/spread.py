"""Reproducibility: how far results of different submitters on the same kind of system lie apart."""

from collections.abc import Iterable
from decimal import Decimal
from statistics import median

from rackrecord.catalog.claim import Claim
from rackrecord.claim_check.results import Group, alike, distinct_runs, group_of, group_order
from rackrecord.data import Data
from rackrecord.selection.select import OUTLIER_BELOW


class SubmitterFigures(Data):
    """One submitter's results in a group. Figures are per accelerator."""

    submitter: str
    results: int
    lowest: Decimal
    median: Decimal
    highest: Decimal


class Spread(Data):
    """How far the results of one accelerator, scenario, round and system size lie apart.

    `spread` is the highest rate per accelerator over the lowest, less one, over all results;
    `between_submitters` the same over the submitters' medians, None for a single submitter. `outliers` are
    the results below 60 % of the median: they are in both figures.
    """

    group: Group
    spread: Decimal
    between_submitters: Decimal | None
    by_submitter: tuple[SubmitterFigures, ...]
    outliers: tuple[str, ...]


def spreads(claims: Iterable[Claim]) -> tuple[Spread, ...]:
    """The spread of every group with more than one result among comparable results on one benchmark."""
    found = [_spread(part) for part in alike(claims) if len(distinct_runs(part)) > 1]
    return tuple(sorted(found, key=lambda spread: group_order(spread.group)))


def _spread(part: tuple[Claim, ...]) -> Spread:
    group = group_of(part)
    rates: dict[str, list[Decimal]] = {}
    outliers = []
    for claim in distinct_runs(part):
        rate = claim.value / group.size
        rates.setdefault(claim.submitter, []).append(rate)
        if rate < OUTLIER_BELOW * group.median:
            outliers.append(claim.id)
    middles = [median(found) for found in rates.values()]
    return Spread(
        group=group,
        spread=group.best.per_accelerator / group.minimum - 1,
        between_submitters=max(middles) / min(middles) - 1 if len(middles) > 1 else None,
        by_submitter=tuple(
            SubmitterFigures(
                submitter=submitter,
                results=len(found),
                lowest=min(found),
                median=median(found),
                highest=max(found),
            )
            for submitter, found in sorted(rates.items())
        ),
        outliers=tuple(outliers),
    )
