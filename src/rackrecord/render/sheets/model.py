"""What the sheets show of each option: the record's figures, and the steps that only a formula needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from msgspec.structs import replace

from rackrecord.economics.cost import CostGap, CostLine, hourly_cost, total
from rackrecord.economics.figures import Evidence, OptionFigures
from rackrecord.economics.inputs import RackInputs, RentTerms, Span, rack_inputs
from rackrecord.economics.replay import OptionMeasurement
from rackrecord.economics.sizing import (
    PartDemand,
    Sizing,
    part_share,
    peak_demand,
    rack_capacity,
    racks_by_year,
    request_length,
)
from rackrecord.economics.throughput import PartRate
from rackrecord.measurements.measurement import Measurement
from rackrecord.profile.models import Option, Profile, Workload
from rackrecord.record import DecisionRecord
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection, token_rate


@dataclass(frozen=True, slots=True)
class Part:
    """One part of the workload; `number` counts from 1."""

    number: int
    workload: Workload
    selection: Selection
    demand: PartDemand
    share: Decimal

    @property
    def in_requests(self) -> bool:
        """Whether its results count requests."""
        return self.selection.unit != TOKEN_UNIT

    @property
    def length(self) -> Decimal:
        """Output tokens of a request, the workload's or the benchmark's."""
        return request_length(self.workload, self.selection)


@dataclass(frozen=True, slots=True)
class OptionModel:
    """One option. `figures` is None where something is missing, `evidence` where that is what is missing."""

    option: Option
    figures: OptionFigures | None
    inputs: RackInputs
    evidence: Evidence | None
    reason: str
    measured: Decimal | None

    @property
    def on_measured(self) -> bool:
        """Whether its rate is an own measurement."""
        return self.evidence is not None and self.evidence.basis == "measured"

    @property
    def fraction_is_measured(self) -> bool:
        """Whether d is an own measurement over the planning figure."""
        return not self.on_measured and self.inputs.fraction_basis == "own measurements"

    @property
    def power_counted(self) -> bool:
        """Whether C has lines for power; a rent may cover it."""
        terms = self.inputs.terms
        return terms is not None and not (isinstance(terms, RentTerms) and terms.power_included)

    def cost_lines(self) -> dict[CostLine, Decimal | None]:
        """The lines of C in money per hour; None for one that cannot be worked out."""
        if self.figures is not None:
            return {item.line: item.per_hour for item in self.figures.costs}
        if self.inputs.terms is None:
            return {CostLine.RENT: None}
        site, nothing = self.inputs.site, Span(Decimal(0))
        filled = replace(site, rack_kw=site.rack_kw or nothing, per_kwh=site.per_kwh or nothing)
        lines: dict[CostLine, Decimal | None] = {
            item.line: item.per_hour for item in hourly_cost(replace(self.inputs, site=filled))
        }
        if site.rack_kw is None:
            lines.update(dict.fromkeys((CostLine.ELECTRICITY, CostLine.COLOCATION)))
        return lines

    def per_hour(self) -> Decimal | None:
        """C, money per rack-hour."""
        if self.figures is not None:
            return self.figures.cost_per_hour
        try:
            return total(hourly_cost(self.inputs))
        except CostGap:
            return None

    def capacity(self, rates: Sequence[PartRate], part: Part) -> Decimal:
        """What one rack serves of a part, in the unit of its demand."""
        inputs = self.inputs
        rate = rates[part.number - 1]
        return rack_capacity(rate, part.demand, inputs.accelerators, inputs.realized_fraction.value)

    def racks(self, rates: Sequence[PartRate], parts: Sequence[Part], profile: Profile) -> tuple[int, ...]:
        """Racks in each year of the term at those rates."""
        peaks = [part.demand.peak for part in parts]
        return racks_by_year(peaks, [self.capacity(rates, part) for part in parts], Sizing.of(profile))


def parts_of(record: DecisionRecord) -> tuple[Part, ...]:
    """The parts of the workload, each with its evidence and its peak demand."""
    profile = record.profile
    demands = peak_demand(profile.demand, profile.parts, record.evidence)
    rows = zip(profile.parts, record.evidence, demands, strict=True)
    return tuple(
        Part(number, workload, selection, demand, part_share(workload))
        for number, (workload, selection, demand) in enumerate(rows, start=1)
    )


def options_of(record: DecisionRecord, parts: Sequence[Part]) -> tuple[OptionModel, ...]:
    """Every option of the profile, in its order."""
    on_measured = any(figures.basis == "measured" for figures in record.options)
    reasons = {item.option: item.reason for item in record.comparison.not_ranked}
    tests = {measured.option: measured for measured in record.measurements}
    models = []
    for option in record.profile.options:
        figures = record.figures(option.id)
        chosen = _chosen(tests.get(option.id))
        evidence = _of_measurement(chosen, parts[0]) if on_measured else _verified(option, parts)
        inputs = _inputs(record.profile, option, figures, on_measured=on_measured)
        models.append(
            OptionModel(
                option=option,
                figures=figures,
                inputs=inputs,
                evidence=evidence,
                reason=reasons.get(option.id, ""),
                measured=_measured_rate(chosen, parts[0], in_tokens=on_measured),
            )
        )
    return tuple(models)


def _inputs(
    profile: Profile, option: Option, figures: OptionFigures | None, *, on_measured: bool
) -> RackInputs:
    fraction = None
    if figures is not None and figures.inputs.realized_fraction_basis == "own measurements":
        fraction = figures.realized_fraction
    inputs = rack_inputs(profile, option, fraction)
    if on_measured:
        return replace(inputs, realized_fraction=Span(Decimal(1)), fraction_basis="own measurements")
    return inputs


def _verified(option: Option, parts: Sequence[Part]) -> Evidence | None:
    rates: dict[str, list[PartRate]] = {"planning": [], "minimum": [], "maximum": []}
    for part in parts:
        found = part.selection.evidence(option.id)
        for name, listed in rates.items():
            native: Decimal | None = getattr(found, name)
            tokens = token_rate(part.selection, native)
            if not native or not tokens:
                return None
            listed.append(PartRate(share=part.share, tokens=tokens, native=native))
    return Evidence(tuple(rates["planning"]), tuple(rates["minimum"]), tuple(rates["maximum"]))


def _chosen(tests: OptionMeasurement | None) -> Measurement | None:
    if tests is None or tests.chosen is None:
        return None
    point = tests.points[tests.chosen].measurement
    return point if point.accelerators is not None else None


def _measured_rate(point: Measurement | None, part: Part, *, in_tokens: bool) -> Decimal | None:
    """The load test's rate per accelerator: output tokens/s, or what the benchmark counts."""
    if point is None or point.accelerators is None:
        return None
    if in_tokens or not part.in_requests:
        return Decimal(repr(point.output_tokens_per_second)) / point.accelerators
    requests = point.requests_per_second
    return Decimal(repr(requests)) / point.accelerators if requests else None


def _of_measurement(point: Measurement | None, part: Part) -> Evidence | None:
    tokens = _measured_rate(point, part, in_tokens=True)
    if tokens is None:
        return None
    native = tokens / part.length if part.in_requests else tokens
    rate = (PartRate(share=Decimal(1), tokens=tokens, native=native),)
    return Evidence(rate, rate, rate, basis="measured")
