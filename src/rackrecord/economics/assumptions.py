"""What the figures take for granted about term and use, where the profile's own numbers pull apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rackrecord.catalog.claim import Caveat, CaveatCode
from rackrecord.economics.figures import OptionFigures
from rackrecord.profile.models import Profile
from rackrecord.quantities import fixed, significant, trimmed

_COMMITTED_YEARS = {"on-demand": 0, "one-year": 1, "three-years": 3}


def assumptions(profile: Profile, options: Sequence[OptionFigures]) -> tuple[Caveat, ...]:
    """The assumptions behind the options' figures, each with the names of the options that it concerns."""
    years = profile.term.years
    compared = "1 year" if years == 1 else f"{years} years"

    def names(concerned: Iterator[OptionFigures]) -> str:
        return "; ".join(profile.option(figures.option).name for figures in concerned)

    rents = [(f, _COMMITTED_YEARS[f.inputs.rent.commitment]) for f in options if f.inputs.rent is not None]
    purchases = [(f, f.inputs.purchase.years) for f in options if f.inputs.purchase is not None]
    kinds = (
        (
            names(f for f, committed in rents if committed < years),
            f"the rent is not committed for the {compared} compared; it is taken to go on at the same price.",
        ),
        (
            names(f for f, committed in rents if committed > years),
            f"the rent is committed for longer than the {compared} compared; the rest of it is not counted.",
        ),
        (
            names(f for f, used in purchases if used < years),
            f"used for less than the {compared} compared; taken to be bought again at the same price.",
        ),
        (
            names(f for f, used in purchases if used > years or f.years[0].racks < f.years[-1].racks),
            f"charged by the year, also where racks are used beyond the {compared} compared; "
            "the value left in them then is taken to be recovered.",
        ),
    )
    found = [Caveat(code=CaveatCode.TERM_ASSUMPTION, text=f"{who}: {what}") for who, what in kinds if who]
    if powered := names(f for f in options if f.inputs.power.counted and f.inputs.power.pue == 1):
        text = f"{powered}: with a PUE of 1, no power of the site beyond the racks' own is paid for."
        found.append(Caveat(code=CaveatCode.PUE_OF_ONE, text=text))
    return (*found, *(_overused(profile, figures) for figures in options if _is_overused(figures)))


def _is_overused(figures: OptionFigures) -> bool:
    """Whether u is above what demand can use; a u that is not stated is a benchmark ceiling anyway."""
    stated = figures.inputs.utilization_basis == "stated"
    return stated and figures.utilization > figures.attainable_utilization


def _overused(profile: Profile, figures: OptionFigures) -> Caveat:
    least = figures.cost_per_million_tokens * figures.utilization / figures.attainable_utilization
    name, money = profile.option(figures.option).name, profile.currency
    text = (
        f"{name}: a utilization of {trimmed(figures.utilization)} is more than demand can use. At its peak "
        f"it takes up {fixed(figures.attainable_utilization)} of the racks, headroom, spares and whole racks "
        f"counted: a million tokens cost at least {significant(least)} {money}."
    )
    return Caveat(code=CaveatCode.UTILIZATION_TOO_HIGH, text=text)
