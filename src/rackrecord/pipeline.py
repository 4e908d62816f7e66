"""The one way through: profile and catalog to a decision record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from decimal import Decimal

from rackrecord import summary
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog
from rackrecord.citations import citations
from rackrecord.claim_check.software import SoftwareGain, software_first
from rackrecord.claim_check.vendor import ClaimCheck, check_vendor_claims
from rackrecord.claim_check.watch import watch_list
from rackrecord.economics.options import rank_options
from rackrecord.economics.replay import measured_options
from rackrecord.economics.sizing import PartDemand, peak_demand
from rackrecord.measurements.measurement import Measurement
from rackrecord.migrations import SCHEMA
from rackrecord.profile.models import Profile
from rackrecord.record import DecisionRecord, StatusChange
from rackrecord.review import review_due, triggers
from rackrecord.selection.rules import TOKEN_UNIT
from rackrecord.selection.select import Selection, select
from rackrecord.version import TOOL


def decide(
    profile: Profile,
    catalog: Catalog,
    as_of: date,
    *,
    measurements: Mapping[str, Sequence[Measurement]] | None = None,
    profile_sha256: str | None = None,
    number: int | None = None,
    title: str | None = None,
    history: tuple[StatusChange, ...] = (),
    supersedes: int | None = None,
) -> DecisionRecord:
    """The decision record of a profile against a catalog, as of a day.

    `measurements` maps option ids to the user's own load tests. The result is sealed: its figures are exactly
    those of its JSON, and its digest is set.
    """
    measured = measurements or {}
    flat = [(option, point) for option, points in measured.items() for point in points]
    selections = tuple(select(profile, workload, catalog, flat) for workload in profile.parts)
    replays = measured_options(profile, selections, measured)
    economics = rank_options(profile, selections, replays.rates)
    checks = check_vendor_claims(profile, catalog)
    watched = tuple(
        item for workload in profile.parts for item in watch_list(profile, workload, catalog, as_of)
    )
    gains = _software_gains(profile, selections, catalog)
    due = review_due(profile, next(reversed(catalog.round_names()), None))
    return DecisionRecord(
        schema_version=SCHEMA,
        tool=TOOL,
        number=number,
        title=title or profile.title,
        status=profile.status,
        history=history,
        supersedes=supersedes,
        as_of=as_of,
        capacity_decision_record=summary.seven_fields(profile, selections, economics, due),
        options=economics.figures,
        comparison=economics.comparison,
        basis_note=economics.basis_note,
        evidence=selections,
        measurements=replays.options,
        vendor_claims=checks,
        software_first=gains,
        watch_list=watched,
        would_change=summary.would_change(profile, economics),
        triggers=triggers(profile, selections, watched, due),
        caveats=summary.caveats(profile, selections, economics, as_of),
        citations=citations(_cited(catalog, selections, checks, gains)),
        catalog_rounds=catalog.rounds(),
        catalog_sha256=catalog.digest,
        profile=profile,
        profile_sha256=profile_sha256,
        sha256="",
    ).sealed()


def _software_gains(
    profile: Profile, selections: Sequence[Selection], catalog: Catalog
) -> tuple[SoftwareGain, ...]:
    """What newer software would add to the fleet, for each part of the workload."""
    fraction = (
        profile.use.realized_fraction.value if profile.use.realized_fraction is not None else Decimal(1)
    )
    demands = peak_demand(profile.demand, profile.parts, selections)
    gains = [
        software_first(
            profile.fleet,
            workload,
            catalog,
            realized_fraction=fraction,
            demand=_native_demand(demand, selection, profile.demand.headroom),
        )
        for workload, selection, demand in zip(profile.parts, selections, demands, strict=True)
    ]
    return tuple(gain for gain in gains if gain is not None)


def _native_demand(demand: PartDemand, selection: Selection, headroom: Decimal) -> Decimal | None:
    """The peak with headroom in the benchmark's own unit; None where tokens cannot become requests."""
    peak = demand.peak * (1 + headroom)
    if demand.in_requests or selection.unit == TOKEN_UNIT:
        return peak
    return peak / selection.mean_output_tokens if selection.mean_output_tokens is not None else None


def _cited(
    catalog: Catalog,
    selections: Sequence[Selection],
    checks: Sequence[ClaimCheck],
    gains: Sequence[SoftwareGain],
) -> tuple[Claim, ...]:
    """Every published result that the record shows: those used, and those that checks and gains stand on."""
    used = {claim.id: claim for selection in selections for claim in selection.used}
    shown: set[str] = set()
    benchmarks: set[str] = set()
    items: tuple[ClaimCheck | SoftwareGain, ...] = (*checks, *gains)
    for item in items:
        shown.update(item.cited)
        if item.benchmark is not None:
            benchmarks.add(item.benchmark)
    others = {claim.id: claim for name in sorted(benchmarks) for claim in catalog.claims(name)}
    return tuple((used | {name: claim for name, claim in others.items() if name in shown}).values())
