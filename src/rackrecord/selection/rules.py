"""One pure function for each reason: does it apply to this candidate in this situation?

A rule speaks only of what the candidate states: a vendor's sentence that names no scenario is not in "another
scenario". The rules are run in the order of `Reason`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from decimal import Decimal

import msgspec

from rackrecord.catalog.benchmarks import Benchmark, ScenarioFacts, round_order
from rackrecord.catalog.claim import Claim
from rackrecord.profile.models import Slo, Workload
from rackrecord.selection.reasons import Reason

TOKEN_UNIT = "Tokens/s"
REQUEST_UNITS = frozenset({"Queries/s", "Samples/s"})


class Candidate(msgspec.Struct, frozen=True):
    """What the rules look at, of a published result or of a statement; None is not stated."""

    id: str
    verified: bool
    names_benchmark: bool = True
    division: str | None = None
    availability: str | None = None
    suites: tuple[str, ...] | None = None
    scenario: str | None = None
    accuracy_target: str | None = None
    round: str | None = None
    unit: str | None = None
    accelerators: tuple[str, ...] | None = None
    accelerator_count: int | None = None
    count_required: bool = False
    precision: tuple[str, ...] | None = None
    valid: bool = True

    @classmethod
    def of_claim(cls, claim: Claim) -> Candidate:
        """The candidate that a published result is."""
        return cls(
            id=claim.id,
            verified=True,
            division=claim.division,
            availability=claim.availability,
            suites=claim.suites,
            scenario=claim.scenario,
            accuracy_target=claim.accuracy_target,
            round=claim.round,
            unit=claim.unit,
            accelerators=claim.accelerators,
            accelerator_count=claim.accelerator_count,
            count_required=True,
            precision=claim.precision,
            valid=claim.valid,
        )


class Situation(msgspec.Struct, frozen=True):
    """What a candidate is judged against.

    `compatible` holds the rounds that may be compared with the newest one used, empty until that is known;
    `accepted` the system sizes and the round used for each candidate accelerator, likewise.
    """

    workload: Workload
    benchmark: Benchmark
    candidates: frozenset[str]
    precisions: frozenset[str] | None
    compatible: frozenset[str]
    accepted: Mapping[str, Accepted]


class Accepted(msgspec.Struct, frozen=True):
    """For one accelerator: each system size that counts, with the newest round used at it (None: none)."""

    rounds: Mapping[int, str | None]

    def newest(self, size: int | None) -> str | None:
        """The newest round used at `size`, or at any size where that one is not used."""
        at_size = self.rounds.get(size) if size is not None else None
        used = [name for name in self.rounds.values() if name is not None]
        return at_size or max(used, key=round_order, default=None)


Rule = Callable[[Candidate, Situation], bool]


def not_verified(candidate: Candidate, situation: Situation) -> bool:
    """not-verified: only results reviewed by MLCommons are evidence."""
    return not candidate.verified


def no_workload(candidate: Candidate, situation: Situation) -> bool:
    """no-workload: the statement names no benchmark."""
    return not candidate.names_benchmark


def open_division(candidate: Candidate, situation: Situation) -> bool:
    """open-division: only closed and network results keep model and accuracy to the reference."""
    return candidate.division is not None and candidate.division not in ("closed", "network")


def preview(candidate: Candidate, situation: Situation) -> bool:
    """preview: not on sale when submitted."""
    return candidate.availability == "preview"


def research_system(candidate: Candidate, situation: Situation) -> bool:
    """research-system: anything that is neither available nor preview."""
    return candidate.availability is not None and candidate.availability not in ("available", "preview")


def other_suite(candidate: Candidate, situation: Situation) -> bool:
    """other-suite: a result may be in both suites; one of them has to be the workload's."""
    return candidate.suites is not None and situation.workload.suite not in candidate.suites


def other_scenario(candidate: Candidate, situation: Situation) -> bool:
    """other-scenario: the scenarios promise different things to a user."""
    return candidate.scenario is not None and candidate.scenario != situation.workload.scenario


def lower_accuracy(candidate: Candidate, situation: Situation) -> bool:
    """lower-accuracy: a 99.9 result also meets 99, not the reverse."""
    asked = situation.workload.accuracy
    if asked is None or candidate.accuracy_target is None:
        return False
    return Decimal(candidate.accuracy_target) < asked


def incompatible_round(candidate: Candidate, situation: Situation) -> bool:
    """incompatible-round: outside the group of rounds that the newest round used belongs to."""
    if candidate.round is None or not situation.compatible:
        return False
    return candidate.round not in situation.compatible


def superseded_round(candidate: Candidate, situation: Situation) -> bool:
    """superseded-round: compatible, but its accelerator has a newer result in use."""
    if (
        candidate.round is None
        or candidate.round not in situation.compatible
        or len(candidate.accelerators or ()) != 1
    ):
        return False
    accepted = situation.accepted.get((candidate.accelerators or ("",))[0])
    newest = accepted.newest(candidate.accelerator_count) if accepted is not None else None
    return newest is not None and round_order(candidate.round) < round_order(newest)


def looser_latency(candidate: Candidate, situation: Situation) -> bool:
    """looser-latency: the benchmark's limit must be at least as strict on every metric of the SLO."""
    slo = situation.workload.slo
    if slo is None or candidate.scenario is None or not candidate.verified:
        return False
    return bool(unanswered_objectives(slo, situation.benchmark.scenario(candidate.scenario)))


def unanswered_objectives(slo: Slo, facts: ScenarioFacts | None) -> tuple[str, ...]:
    """The SLO metrics that the benchmark's own p99 limits do not answer, by name.

    A limit at the 99th percentile answers an objective at the 99th or a lower one, never at a higher one.
    """
    missing: list[str] = []
    for name in ("ttft_ms", "tpot_ms", "e2e_ms"):
        asked = getattr(slo, name)
        limit = getattr(facts, name) if facts is not None else None
        if asked is not None and (limit is None or limit > asked or slo.percentile > 99):
            missing.append(name)
    return tuple(missing)


def not_tokens(candidate: Candidate, situation: Situation) -> bool:
    """not-tokens: requests become tokens only through the benchmark's own recorded mean."""
    if candidate.unit is None or candidate.unit == TOKEN_UNIT:
        return False
    return candidate.unit not in REQUEST_UNITS or situation.benchmark.mean_output_tokens is None


def mixed_accelerators(candidate: Candidate, situation: Situation) -> bool:
    """mixed-accelerators: a per-accelerator figure would mean nothing."""
    return candidate.accelerators is not None and len(candidate.accelerators) > 1


def accelerator_count_unclear(candidate: Candidate, situation: Situation) -> bool:
    """accelerator-count-unclear: no per-accelerator figure can be derived."""
    return candidate.count_required and not candidate.accelerator_count


def not_a_candidate(candidate: Candidate, situation: Situation) -> bool:
    """not-a-candidate: none of its accelerators is in an option."""
    return candidate.accelerators is not None and not situation.candidates.intersection(
        candidate.accelerators
    )


def precision(candidate: Candidate, situation: Situation) -> bool:
    """precision: every weight format must be accepted; an unstated format is not."""
    if situation.precisions is None or candidate.precision is None:
        return False
    return not candidate.precision or not situation.precisions.issuperset(candidate.precision)


def other_scale(candidate: Candidate, situation: Situation) -> bool:
    """other-scale: not one of the system sizes used for its accelerator."""
    if not candidate.accelerator_count or len(candidate.accelerators or ()) != 1:
        return False
    accepted = situation.accepted.get((candidate.accelerators or ("",))[0])
    return accepted is not None and candidate.accelerator_count not in accepted.rounds


def invalid(candidate: Candidate, situation: Situation) -> bool:
    """invalid: the source says so."""
    return not candidate.valid


RULES: Mapping[Reason, Rule] = {
    Reason.NOT_VERIFIED: not_verified,
    Reason.NO_WORKLOAD: no_workload,
    Reason.OPEN_DIVISION: open_division,
    Reason.PREVIEW: preview,
    Reason.RESEARCH_SYSTEM: research_system,
    Reason.OTHER_SUITE: other_suite,
    Reason.OTHER_SCENARIO: other_scenario,
    Reason.LOWER_ACCURACY: lower_accuracy,
    Reason.INCOMPATIBLE_ROUND: incompatible_round,
    Reason.SUPERSEDED_ROUND: superseded_round,
    Reason.LOOSER_LATENCY: looser_latency,
    Reason.NOT_TOKENS: not_tokens,
    Reason.MIXED_ACCELERATORS: mixed_accelerators,
    Reason.ACCELERATOR_COUNT_UNCLEAR: accelerator_count_unclear,
    Reason.NOT_A_CANDIDATE: not_a_candidate,
    Reason.PRECISION: precision,
    Reason.OTHER_SCALE: other_scale,
    Reason.INVALID: invalid,
}


RELATIVE = frozenset({Reason.INCOMPATIBLE_ROUND, Reason.SUPERSEDED_ROUND, Reason.OTHER_SCALE})
"""The reasons that look at the rounds and sizes in use: `Situation.compatible` and `Situation.accepted`."""

_RELATIVE_RULES = tuple((reason, rule) for reason, rule in RULES.items() if reason in RELATIVE)
_ABSOLUTE_RULES = tuple((reason, rule) for reason, rule in RULES.items() if reason not in RELATIVE)


def reasons(candidate: Candidate, situation: Situation) -> tuple[Reason, ...]:
    """Every reason that applies, in the order of `Reason`."""
    return with_relative(absolute_reasons(candidate, situation), candidate, situation)


def absolute_reasons(candidate: Candidate, situation: Situation) -> tuple[Reason, ...]:
    """The reasons that apply whatever rounds and sizes are in use, in the order of `Reason`."""
    return tuple([reason for reason, rule in _ABSOLUTE_RULES if rule(candidate, situation)])


def with_relative(
    absolute: tuple[Reason, ...], candidate: Candidate, situation: Situation
) -> tuple[Reason, ...]:
    """Those reasons and the ones that depend on the rounds and sizes in use, in the order of `Reason`."""
    relative = [reason for reason, rule in _RELATIVE_RULES if rule(candidate, situation)]
    if not relative:
        return absolute
    return tuple([reason for reason in RULES if reason in relative or reason in absolute])
