"""From the evidence of each option to its figures and the ranking of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import msgspec
from msgspec.structs import replace

from rackrecord.catalog.claim import CaveatCode
from rackrecord.economics.comparison import Comparison, NotRanked, compare
from rackrecord.economics.cost import CostGap
from rackrecord.economics.figures import Evidence, OptionFigures, option_figures
from rackrecord.economics.inputs import Span, rack_inputs
from rackrecord.economics.objective import Grounds, Ranked
from rackrecord.economics.sizing import part_share, request_length
from rackrecord.economics.throughput import PartRate
from rackrecord.profile.models import Option, Profile, Workload
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection, token_rate

# With one of these, a lead may be a matter of who measured what: at best likely.
_HOLDING_BACK = {
    CaveatCode.SINGLE_SOURCE: "some of the evidence is by one submitter only",
    CaveatCode.SCALED: "some of the evidence is from another system size",
    CaveatCode.OLDER_ROUND: "the evidence is not all from one round",
}
_MEASURED = Grounds((), Decimal(0), "own measurements are not reviewed and have no range of evidence")
SHAPE_FACTOR = 2
# Beyond it the demand is a slip of the pen, and its figures no longer fit the numbers of JSON.
MOST_RACKS = 1_000_000


class Measured(msgspec.Struct, frozen=True):
    """An option's own measurement, at the best point that meets the SLO, per accelerator.

    tokens: output tokens/s · requests: requests/s, None where the load test does not count them.
    """

    tokens: Decimal
    requests: Decimal | None = None

    def fraction_of(self, planning: Decimal, selection: Selection) -> Decimal | None:
        """d: the measured rate over the planning figure, in the benchmark's own unit; None where unknown."""
        own = self.tokens if selection.unit == TOKEN_UNIT else self.requests
        return own / planning if own is not None and planning else None


class Economics(msgspec.Struct, frozen=True):
    """The figures of every option with evidence and a price, in the profile's order, and the comparison."""

    figures: tuple[OptionFigures, ...]
    comparison: Comparison
    basis_note: str | None


def rank_options(
    profile: Profile, selections: Sequence[Selection], measured: Mapping[str, Measured] | None = None
) -> Economics:
    """Work out every option and rank them on one basis; `measured` maps option ids to own measurements."""
    measured = measured or {}
    verified = {option.id: _verified(profile, option, selections) for option in profile.options}
    obstacle = _obstacle(profile, verified, measured)
    on_measured = profile.policy.basis == "measured" and obstacle is None
    fractions = {} if on_measured else _measured_fractions(profile, selections, verified, measured)
    ranked: list[Ranked] = []
    not_ranked: list[NotRanked] = []
    for option in profile.options:
        own = measured.get(option.id)
        if on_measured:
            evidence = _of_measurement(profile, own, selections[0]) if own is not None else None
        else:
            evidence = verified[option.id]
        if evidence is None:
            not_ranked.append(NotRanked(option=option.id, reason=_why_none(option, selections)))
            continue
        inputs = rack_inputs(profile, option, fractions.get(option.id))
        if on_measured:
            inputs = replace(inputs, realized_fraction=Span(Decimal(1)), fraction_basis="own measurements")
        try:
            figures = option_figures(profile, option, inputs, evidence, selections)
        except CostGap as gap:
            not_ranked.append(NotRanked(option=option.id, reason=f"not ranked: {gap}"))
            continue
        if max(year.racks for year in figures.years) > MOST_RACKS:
            reason = f"not ranked: the demand would take more than {MOST_RACKS:,} racks"
            not_ranked.append(NotRanked(option=option.id, reason=reason))
            continue
        grounds = _MEASURED if on_measured else _grounds(profile, option, selections)
        ranked.append(Ranked(option.name, figures, inputs, evidence, grounds))
    return Economics(
        figures=tuple(item.figures for item in ranked),
        comparison=compare(profile.policy.objective, ranked, not_ranked, profile.policy.materiality),
        basis_note=_basis_note(profile, on_measured, obstacle, ranked, measured),
    )


def _verified(profile: Profile, option: Option, selections: Sequence[Selection]) -> Evidence | None:
    """The option's verified rates for every part of the workload; None where one part has none."""
    rates: dict[str, list[PartRate]] = {"planning": [], "minimum": [], "maximum": []}
    for workload, selection in zip(profile.parts, selections, strict=True):
        found = selection.evidence(option.id)
        for name, parts in rates.items():
            native: Decimal | None = getattr(found, name)
            tokens = token_rate(selection, native)
            if not native or not tokens:
                return None
            parts.append(PartRate(share=part_share(workload), tokens=tokens, native=native))
    return Evidence(tuple(rates["planning"]), tuple(rates["minimum"]), tuple(rates["maximum"]))


def _of_measurement(profile: Profile, measured: Measured, selection: Selection) -> Evidence:
    """A measurement as evidence; it has no range. A request takes the workload's output tokens."""
    native = measured.tokens
    if selection.unit != TOKEN_UNIT:
        native /= request_length(profile.parts[0], selection)
    rate = (PartRate(share=Decimal(1), tokens=measured.tokens, native=native),)
    return Evidence(rate, rate, rate, basis="measured")


def _obstacle(
    profile: Profile, verified: Mapping[str, Evidence | None], measured: Mapping[str, Measured]
) -> str | None:
    """Why the options cannot be ranked on own measurements, None where they can."""
    if len(profile.parts) > 1:
        return "a measurement speaks for one part of the workload only"
    lacking = [
        option.name
        for option in profile.options
        if option.id not in measured and verified[option.id] is not None and option.price is not None
    ]
    if lacking or not measured:
        return (
            f"the measured basis needs a measurement of every option; missing: {', '.join(lacking) or 'all'}"
        )
    return None


def _measured_fractions(
    profile: Profile,
    selections: Sequence[Selection],
    verified: Mapping[str, Evidence | None],
    measured: Mapping[str, Measured],
) -> dict[str, Decimal]:
    """d from measurements, where every option with evidence has a stated or a measured one.

    Otherwise a measured option would be ranked at its production figure against others at their benchmark
    ceiling.
    """
    fractions: dict[str, Decimal] = {}
    for option in profile.options:
        evidence, own = verified[option.id], measured.get(option.id)
        if evidence is None or rack_inputs(profile, option).fraction_basis == "stated":
            continue
        if own is None or len(selections) > 1:
            return {}
        fraction = own.fraction_of(evidence.planning[0].native, selections[0])
        if fraction is None:
            return {}
        fractions[option.id] = fraction
    return fractions


def _basis_note(
    profile: Profile,
    on_measured: bool,
    obstacle: str | None,
    ranked: Sequence[Ranked],
    measured: Mapping[str, Measured],
) -> str | None:
    """On what the options are ranked, where there are measurements or the profile asks for them."""
    if on_measured:
        return "Ranked on own measurements, which MLCommons has not reviewed; they are not MLPerf® results."
    asked = profile.policy.basis == "measured"
    if not measured and not asked:
        return None
    text = f"Ranked on verified results: {obstacle}." if asked else "Ranked on verified results."
    applied = [
        profile.option(item.figures.option).name
        for item in ranked
        if item.inputs.fraction_basis == "own measurements"
    ]
    if applied:
        return f"{text} The realized fraction is from own measurements for {', '.join(applied)}."
    return f"{text} Own measurements are shown beside them and not mixed in." if measured else text


def _why_none(option: Option, selections: Sequence[Selection]) -> str:
    """Why the option has no figures: without evidence, or with evidence that gives no token rate."""
    for selection in selections:
        found = selection.evidence(option.id)
        if found.why_none is not None:
            return found.why_none
    return "not ranked: its results give no token rate above 0"


def _grounds(profile: Profile, option: Option, selections: Sequence[Selection]) -> Grounds:
    return Grounds(
        results=tuple(selection.evidence(option.id).used for selection in selections),
        spread=_spread(option, selections),
        holds_back=_held_back(profile, option, selections),
    )


def _spread(option: Option, selections: Sequence[Selection]) -> Decimal:
    """The widest spread of the option's evidence over the parts of the workload, outliers apart.

    One outlier would otherwise make every difference immaterial; it is named among the caveats instead.
    """
    spreads = [selection.evidence(option.id).spread_without_outliers for selection in selections]
    return max((spread for spread in spreads if spread is not None), default=Decimal(0))


def _held_back(profile: Profile, option: Option, selections: Sequence[Selection]) -> str | None:
    """Why a lead of or over this option is at best likely."""
    codes = {caveat.code for selection in selections for caveat in selection.evidence(option.id).caveats}
    for code, sentence in _HOLDING_BACK.items():
        if code in codes:
            return sentence
    for workload, selection in zip(profile.parts, selections, strict=True):
        if shape_differs(workload, selection):
            return "the workload's requests differ much in length from the benchmark's"
    return None


def shape_differs(workload: Workload, selection: Selection) -> bool:
    """Whether the workload's output length is more than twice or less than half of the benchmark's."""
    own, benchmark = workload.output_tokens_per_request, selection.mean_output_tokens
    if own is None or benchmark is None:
        return False
    return own > SHAPE_FACTOR * benchmark or own * SHAPE_FACTOR < benchmark
