"""From the evidence of each option to its figures and the ranking of all."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from rackrecord.catalog.claim import CaveatCode
from rackrecord.economics.comparison import Comparison, NotRanked, Ranked, compare
from rackrecord.economics.cost import CostGap
from rackrecord.economics.figures import Evidence, OptionFigures, option_figures
from rackrecord.economics.inputs import rack_inputs
from rackrecord.economics.throughput import PartRate
from rackrecord.profile.models import Option, Profile, Workload
from rackrecord.selection.select import OptionEvidence, Selection, token_rate

# With one of these, a lead may be a matter of who measured what: at best likely.
_HOLDING_BACK = {
    CaveatCode.SINGLE_SOURCE: "some of the evidence is by one submitter only",
    CaveatCode.SCALED: "some of the evidence is from another system size",
    CaveatCode.OLDER_ROUND: "the evidence is not all from one round",
}
SHAPE_FACTOR = 2


@dataclass(frozen=True, slots=True)
class Measured:
    """An option's own measurement: output tokens/s per accelerator at the best point that meets the SLO."""

    tokens_per_accelerator: Decimal


@dataclass(frozen=True, slots=True)
class Economics:
    """The figures of every option that has evidence and a price, in the profile's order, and the comparison."""

    figures: tuple[OptionFigures, ...]
    comparison: Comparison
    basis_note: str | None


def rank_options(
    profile: Profile, selections: Sequence[Selection], measured: Mapping[str, Measured] | None = None
) -> Economics:
    """Work out every option and rank them on one basis; `measured` maps option ids to own measurements."""
    measured = measured or {}
    evidence = {option.id: _verified(profile, option, selections) for option in profile.options}
    on_measured, note = _basis(profile, evidence, measured)
    fractions = _measured_fractions(profile, evidence, measured)
    ranked: list[Ranked] = []
    not_ranked: list[NotRanked] = []
    for option in profile.options:
        rates = _measured_evidence(profile, measured.get(option.id)) if on_measured else evidence[option.id]
        if rates is None:
            not_ranked.append(NotRanked(option=option.id, reason=_why_none(option, selections)))
            continue
        inputs = rack_inputs(profile, option, None if on_measured else fractions.get(option.id))
        if on_measured:
            inputs = inputs.with_value("realized_fraction", Decimal(1))
        try:
            figures = option_figures(profile, option, inputs, rates, selections)
        except CostGap as gap:
            not_ranked.append(NotRanked(option=option.id, reason=f"not ranked: {gap}"))
            continue
        spread = max((_spread(s.evidence(option.id)) for s in selections), default=Decimal(0))
        ranked.append(Ranked(figures, inputs, rates, spread, _held_back(profile, option, selections)))
    return Economics(
        figures=tuple(item.figures for item in ranked),
        comparison=compare(profile.policy.objective, ranked, not_ranked, profile.policy.materiality),
        basis_note=note,
    )


def _verified(profile: Profile, option: Option, selections: Sequence[Selection]) -> Evidence | None:
    """The option's verified rates for every part of the workload; None where one part has none."""
    rates: dict[str, list[PartRate]] = {"planning": [], "minimum": [], "maximum": []}
    for workload, selection in zip(profile.parts, selections, strict=True):
        found = selection.evidence(option.id)
        for name, parts in rates.items():
            native: Decimal | None = getattr(found, name)
            tokens = token_rate(selection, native)
            if native is None or tokens is None:
                return None
            share = workload.share if workload.share is not None else Decimal(1)
            parts.append(PartRate(share=share, tokens=tokens, native=native))
    return Evidence(tuple(rates["planning"]), tuple(rates["minimum"]), tuple(rates["maximum"]))


def _measured_evidence(profile: Profile, measured: Measured | None) -> Evidence | None:
    if measured is None:
        return None
    rate = (PartRate(Decimal(1), measured.tokens_per_accelerator, measured.tokens_per_accelerator),)
    return Evidence(rate, rate, rate, basis="measured")


def _basis(
    profile: Profile, evidence: Mapping[str, Evidence | None], measured: Mapping[str, Measured]
) -> tuple[bool, str | None]:
    """Whether to rank on measurements, and a note where the profile asks for what the evidence does not allow."""
    if profile.policy.basis != "measured":
        if measured:
            return False, "Ranked on verified results; own measurements are shown beside them and not mixed in."
        return False, None
    lacking = [option.name for option in profile.options if option.id not in measured and evidence[option.id]]
    if len(profile.parts) > 1:
        return False, "Ranked on verified results: a measurement speaks for one part of the workload only."
    if lacking or not measured:
        names = ", ".join(lacking) or "every option"
        return False, f"Ranked on verified results: the measured basis needs a measurement of every option; missing: {names}."
    return True, "Ranked on own measurements, which MLCommons has not reviewed; they are not MLPerf results."


def _measured_fractions(
    profile: Profile, evidence: Mapping[str, Evidence | None], measured: Mapping[str, Measured]
) -> dict[str, Decimal]:
    """d from measurements, where every option with evidence has a stated or a measured one.

    Otherwise a measured option would be ranked at its production figure against others at their benchmark ceiling.
    """
    fractions: dict[str, Decimal] = {}
    for option in profile.options:
        rates = evidence[option.id]
        if rates is None:
            continue
        stated = (option.use is not None and option.use.realized_fraction) or profile.use.realized_fraction
        own = measured.get(option.id)
        if own is not None and len(rates.planning) == 1:
            fractions[option.id] = own.tokens_per_accelerator / rates.planning[0].tokens
        elif not stated:
            return {}
    return fractions


def _why_none(option: Option, selections: Sequence[Selection]) -> str:
    for selection in selections:
        found = selection.evidence(option.id)
        if found.why_none is not None:
            return found.why_none
    return "not ranked: its figures are not in tokens and no mean output tokens are on record"


def _spread(evidence: OptionEvidence) -> Decimal:
    return evidence.spread if evidence.spread is not None else Decimal(0)


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
