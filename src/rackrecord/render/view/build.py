"""All that a template needs, in one object."""

from __future__ import annotations

import msgspec

from rackrecord.quantities import trimmed
from rackrecord.record import DecisionRecord
from rackrecord.render.view import claims, evidence, facts, formulas, front, options, replays
from rackrecord.render.view.table import Table


class PartView(msgspec.Struct, frozen=True):
    """One part of the workload."""

    title: str
    planning: Table
    used: Table
    excluded: Table
    excluded_statements: Table
    reasons: Table
    accounting: Table
    out_of_scope: str


class ClaimView(msgspec.Struct, frozen=True):
    """One vendor statement that was checked; a table without rows is left out by the template."""

    id: str
    title: str
    comparisons: Table
    standings: Table
    efficiencies: Table
    notes: tuple[str, ...]


class GainView(msgspec.Struct, frozen=True):
    """Software first for one part of the workload."""

    title: str
    sentence: str
    gains: Table


class ReplayView(msgspec.Struct, frozen=True):
    """The own measurements of one option."""

    title: str
    sentence: str
    points: Table


class View(msgspec.Struct, frozen=True):
    """Text and tables of a record, for templates."""

    name: str
    headline: str
    review: str
    strength: str
    decided: str
    left_out: str
    claims: tuple[str, ...]
    glance: Table
    software: tuple[str, ...]
    workload: Table
    facts: Table
    departures: str
    inputs: Table
    figures: tuple[Table, ...]
    shares: Table
    costs: tuple[Table, ...]
    formulas: tuple[tuple[str, tuple[str, ...]], ...]
    years: tuple[Table, ...]
    limits: tuple[Table, ...]
    would_win: Table
    swings: Table
    parts: tuple[PartView, ...]
    statements: Table
    claim_checks: tuple[ClaimView, ...]
    gains: tuple[GainView, ...]
    replays: tuple[ReplayView, ...]
    watch_list: tuple[str, ...]
    triggers: Table
    caveats: Table
    catalog: str


def build_view(record: DecisionRecord) -> View:
    """The view of a record."""
    return View(
        name=front.record_name(record),
        headline=front.headline(record),
        review=front.review_line(record),
        strength=front.strength_line(record),
        decided=front.decided_line(record),
        left_out=front.left_out_line(record),
        claims=front.claim_lines(record),
        glance=options.at_a_glance(record),
        software=tuple(gain.sentence for gain in record.software_first),
        workload=evidence.workload_facts(record),
        facts=facts.inputs(record),
        departures=facts.departures(record),
        inputs=options.inputs(record),
        figures=options.side_by_side(options.all_figures, record, options.COLUMNS),
        shares=options.parts(record),
        costs=options.side_by_side(options.cost_lines, record, options.COLUMNS),
        formulas=formulas.formulas(record),
        years=options.side_by_side(options.years, record, options.YEAR_COLUMNS),
        limits=options.side_by_side(options.limits, record, options.COLUMNS),
        would_win=options.would_win(record),
        swings=options.swings(record),
        parts=tuple(_part(record, index) for index in range(len(record.evidence))),
        statements=claims.statements(record),
        claim_checks=tuple(_claim(record, index) for index in range(len(record.vendor_claims))),
        gains=tuple(_gain(record, index) for index in range(len(record.software_first))),
        replays=tuple(_replay(record, index) for index in range(len(record.measurements))),
        watch_list=tuple(item.text for item in record.watch_list),
        triggers=claims.triggers(record),
        caveats=claims.caveats(record),
        catalog=front.catalog_line(record),
    )


def _part(record: DecisionRecord, index: int) -> PartView:
    selection = record.evidence[index]
    return PartView(
        title=f"{selection.benchmark_name}, {selection.scenario}",
        planning=evidence.planning(record, selection),
        used=evidence.used(record, selection),
        excluded=evidence.excluded(selection),
        excluded_statements=evidence.excluded_statements(selection),
        reasons=evidence.reason_counts(selection),
        accounting=evidence.accounting(selection),
        out_of_scope=evidence.out_of_scope(selection),
    )


def _claim(record: DecisionRecord, index: int) -> ClaimView:
    check = record.vendor_claims[index]
    return ClaimView(
        id=check.id,
        title=f"{check.id}: “{check.statement}”",
        comparisons=claims.comparisons(check),
        standings=claims.standings(check),
        efficiencies=claims.efficiencies(check),
        notes=(
            f"{check.classification.value}: {check.why}",
            *(gap for gap in check.gaps if gap != check.why),
            *(item.text for item in check.disagreements),
        ),
    )


def _gain(record: DecisionRecord, index: int) -> GainView:
    gain = record.software_first[index]
    fleet = f"{gain.name}, {gain.accelerators} accelerators on {gain.from_round} software"
    title = f"{fleet}: {gain.benchmark}, {gain.scenario}"
    return GainView(title=title, sentence=gain.sentence, gains=claims.gains(gain))


def _replay(record: DecisionRecord, index: int) -> ReplayView:
    replay = record.measurements[index]
    if replay.realized_fraction is not None:
        fraction = trimmed(replay.realized_fraction, 3)
        sentence = (
            f"Measured over verified: realized fraction {fraction}. For our own capacity planning; "
            "it is not an MLPerf® result and compares no products."
        )
    else:
        sentence = f"No realized fraction: {replay.why_none}."
    if replay.note is not None:
        sentence = f"{replay.note} {sentence}"
    return ReplayView(record.profile.option(replay.option).name, sentence, replays.points(replay))
