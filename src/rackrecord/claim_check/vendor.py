"""What somebody states about performance, held against the published results.

A statement is classified and checked; neither makes it evidence: a statement is never used for a planning
figure.
"""

from collections.abc import Sequence
from datetime import date
from enum import StrEnum

from rackrecord.catalog.benchmarks import find_benchmark, round_order
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog
from rackrecord.claim_check import sentences
from rackrecord.claim_check.absolute import Absolute, AbsoluteCheck, check_absolute
from rackrecord.claim_check.disagreements import Disagreement, disagreements
from rackrecord.claim_check.efficiency import Efficiency, EfficiencyFinding, check_efficiency
from rackrecord.claim_check.multiplier import Multiple, ScenarioCheck, check_multiplier
from rackrecord.claim_check.results import Group, comparable, groups, no_result
from rackrecord.claim_check.subjects import find_subject, near_subjects
from rackrecord.claim_check.wording import listed
from rackrecord.data import Data
from rackrecord.profile.models import Profile, VendorClaim
from rackrecord.suggest import did_you_mean


class ClaimClass(StrEnum):
    """What a statement is worth beside published results."""

    COMPARABLE = "comparable"
    """Both sides are published, available, and measured alike."""
    DIRECTIONAL = "directional"
    """It points a direction: a preview, a difference in system size, a statement that rests on no published
    result.
    """
    EXCLUDED = "excluded"
    """It may not be held against published results at all."""
    UNCLASSIFIED = "unclassified"
    """Something that a check needs is not stated or not published."""


class Verdict(StrEnum):
    """What the published results say about a statement."""

    SUPPORTED = "supported"
    SUPPORTED_IN_PART = "supported-in-part"
    NOT_SUPPORTED = "not-supported"
    CANNOT_BE_CHECKED = "cannot-be-checked"


class ClaimCheck(Data):
    """A statement with its class and its check.

    `accelerator` and `baseline_accelerator` are the canonical ids that the statement's words were read as.
    `round` and `baseline_round` are the rounds compared: the stated ones, else the newest with results of the
    subject; `baseline_round` is None where the statement leaves it open, and then each comparison has its
    own. One of `scenarios` (a multiplier), `absolute` (a figure) and `efficiency` (scaling) is filled
    where a check was possible; `gaps` say exactly what was missing and what there is. `verdict` is put into
    words by `sentence`.
    """

    id: str
    who: str
    where: str
    date: date
    statement: str
    stage: str
    up_to: bool
    claimed: str
    subject: str
    accelerator: str | None
    baseline: str | None
    baseline_accelerator: str | None
    benchmark: str | None
    round: str | None
    baseline_round: str | None
    classification: ClaimClass
    why: str
    verdict: Verdict
    sentence: str
    scenarios: tuple[ScenarioCheck, ...] = ()
    absolute: AbsoluteCheck | None = None
    efficiency: EfficiencyFinding | None = None
    gaps: tuple[str, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of the published results that the check shows, sorted."""
        found: set[str] = set()
        for scenario in self.scenarios:
            for comparison in (*scenario.compared, *scenario.elsewhere):
                found |= {comparison.subject.best.claim, comparison.baseline.best.claim}
        if self.absolute is not None:
            shown = (self.absolute.result, self.absolute.highest)
            found |= {figure.claim for figure in shown if figure is not None}
            found |= {standing.group.best.claim for standing in self.absolute.standings}
        if self.efficiency is not None:
            found |= {figure.claim for figure in self.efficiency.others}
            for check in self.efficiency.checks:
                found |= {check.group.best.claim, *(step.smaller.best.claim for step in check.steps)}
        return tuple(sorted(found))


def check_vendor_claims(profile: Profile, catalog: Catalog) -> tuple[ClaimCheck, ...]:
    """Every statement of a profile with its check, and which of them disagree with one another."""
    suites = {workload.suite for workload in profile.parts}
    suite = suites.pop() if len(suites) == 1 else "datacenter"
    between = disagreements(profile.vendor_claims)
    return tuple(
        check_claim(claim, catalog, suite=suite).model_copy(
            update={"disagreements": between.get(claim.id, ())}
        )
        for claim in profile.vendor_claims
    )


def check_claim(claim: VendorClaim, catalog: Catalog, *, suite: str = "datacenter") -> ClaimCheck:
    """Classify one statement and hold it against the catalog's closed-division results of a suite."""
    named = find_benchmark(claim.benchmark) if claim.benchmark is not None else None
    benchmark, accuracy = named if named is not None else (claim.benchmark, None)
    if claim.stage == "after-deadline":
        why = (
            "measured after the submission deadline, so not reviewed by MLCommons (not-verified); MLPerf® "
            "results may not be compared with others"
        )
        return _unchecked(claim, ClaimClass.EXCLUDED, why, benchmark=benchmark)
    if benchmark is None:
        why = "names no benchmark, so it is marketing: nothing published can be held against it (no-workload)"
        return _unchecked(claim, ClaimClass.EXCLUDED, why)
    claims = catalog.claims(benchmark)
    if not claims:
        why = (
            f"the catalog has no result on {claim.benchmark!r}{did_you_mean(benchmark, catalog.benchmarks())}"
        )
        return _unchecked(claim, ClaimClass.UNCLASSIFIED, why)
    usable = comparable(claims, suite=suite, accuracy=accuracy)
    accelerators = sorted({accelerator for one in claims for accelerator in one.accelerators})
    subject = find_subject(claim.subject, accelerators)
    if subject is None:
        return _unchecked(
            claim, ClaimClass.UNCLASSIFIED, _unknown("subject", claim.subject), benchmark=benchmark
        )
    if claim.value is not None:
        return _check_value(claim, benchmark, subject, claims, usable)
    if claim.scaling_efficiency is not None:
        return _check_scaling(claim, benchmark, subject, usable)
    return _check_ratio(claim, benchmark, subject, accelerators, usable)


def _unknown(what: str, text: str) -> str:
    near = near_subjects(text)
    hint = f"; it may mean {listed(near, 'or')}" if near else ""
    return f"the {what} {text!r} names no single accelerator on record{hint}"


def _unchecked(
    claim: VendorClaim,
    classification: ClaimClass,
    why: str,
    *,
    benchmark: str | None = None,
    subject: str | None = None,
    baseline: str | None = None,
) -> ClaimCheck:
    """A statement that cannot be checked: `why` is the gap and the sentence."""
    return _finding(
        claim, classification, why, Verdict.CANNOT_BE_CHECKED, f"Cannot be checked: {why}."
    ).model_copy(
        update={
            "benchmark": benchmark,
            "accelerator": subject,
            "baseline_accelerator": baseline,
            "gaps": (why,),
        }
    )


def _finding(
    claim: VendorClaim, classification: ClaimClass, why: str, verdict: Verdict, sentence: str
) -> ClaimCheck:
    return ClaimCheck(
        id=claim.id,
        who=claim.who,
        where=claim.where,
        date=claim.date,
        statement=claim.statement,
        stage=claim.stage,
        up_to=claim.up_to,
        claimed=sentences.claimed(claim),
        subject=claim.subject,
        accelerator=None,
        baseline=claim.baseline,
        baseline_accelerator=None,
        benchmark=None,
        round=claim.round,
        baseline_round=claim.baseline_round,
        classification=classification,
        why=why,
        verdict=verdict,
        sentence=sentence,
    )


def _round_of(claim: VendorClaim, subject: str, usable: Sequence[Claim]) -> str | None:
    """The stated round, else the newest one with results of the subject, else the newest of the benchmark."""
    if claim.round is not None:
        return claim.round
    of_subject = {one.round for one in usable if one.accelerator == subject}
    return max(of_subject or {one.round for one in usable}, key=round_order, default=None)


def _check_value(
    claim: VendorClaim, benchmark: str, subject: str, claims: Sequence[Claim], usable: Sequence[Claim]
) -> ClaimCheck:
    assert claim.value is not None  # the caller's choice
    assert claim.unit is not None  # checked when the statement was read
    asked = Absolute(
        benchmark, subject, claim.value, claim.unit, claim.round, claim.scenario, claim.accelerators
    )
    check = check_absolute(asked, claims, groups(one for one in usable if one.accelerator == subject))
    shown = check.result if check.result is not None and check.not_comparable is None else check.highest
    if check.result is not None and check.not_comparable is not None:
        verdict, classification = Verdict.NOT_SUPPORTED, ClaimClass.EXCLUDED
        why = f"the figure is a published result that is no evidence: {check.not_comparable}"
    elif shown is None:
        verdict, classification = Verdict.CANNOT_BE_CHECKED, ClaimClass.UNCLASSIFIED
        why = "no published result could be held against it"
    else:
        verdict = Verdict.SUPPORTED if check.reaches else Verdict.NOT_SUPPORTED
        classification, why = _class_of(claim, preview=shown.availability == "preview", same_size=True)
    return _finding(claim, classification, why, verdict, check.sentence).model_copy(
        update={
            "accelerator": subject,
            "benchmark": benchmark,
            "round": shown.round if shown is not None else claim.round,
            "absolute": check,
            "gaps": (check.sentence,) if shown is None else (),
        }
    )


def _check_scaling(claim: VendorClaim, benchmark: str, subject: str, usable: Sequence[Claim]) -> ClaimCheck:
    assert claim.scaling_efficiency is not None  # the caller's choice
    round = _round_of(claim, subject, usable)
    if claim.accelerators is None or round is None:
        why = "states no system size to scale to" if claim.accelerators is None else "no comparable result"
        return _unchecked(claim, ClaimClass.UNCLASSIFIED, why, benchmark=benchmark, subject=subject)
    asked = Efficiency(
        benchmark, subject, round, claim.scenario, claim.accelerators, claim.scaling_efficiency
    )
    found = (one for one in usable if one.accelerator == subject or one.accelerator_count == asked.size)
    finding = check_efficiency(asked, groups(found))
    reached = [step.reaches for check in finding.checks if check.named for step in check.steps]
    verdict = _verdict(reached)
    if reached:
        preview = any(check.group.preview for check in finding.checks)
        classification, why = _class_of(claim, preview=preview, same_size=True)
    else:
        classification, why = ClaimClass.UNCLASSIFIED, finding.missing or "no comparable result"
    return _finding(claim, classification, why, verdict, sentences.efficiency(finding)).model_copy(
        update={
            "accelerator": subject,
            "benchmark": benchmark,
            "round": round,
            "efficiency": finding,
            "gaps": (finding.missing,) if finding.missing is not None else (),
        }
    )


def _check_ratio(
    claim: VendorClaim, benchmark: str, subject: str, accelerators: Sequence[str], usable: Sequence[Claim]
) -> ClaimCheck:
    assert claim.multiplier is not None  # the caller's choice
    round = _round_of(claim, subject, usable)
    baseline = subject if claim.baseline is None else find_subject(claim.baseline, accelerators)
    # a statement without rounds leaves the baseline's open; one on a single accelerator needs two
    stated = claim.baseline_round is not None or claim.round is not None or baseline == subject
    baseline_round = (claim.baseline_round or round) if stated else None
    problem = None
    if baseline is None:
        problem = _unknown("baseline", claim.baseline or "")
    elif round is None:
        problem = f"there is no comparable result on {benchmark}"
    elif (baseline, baseline_round) == (subject, round):
        problem = "names no baseline: neither another accelerator nor another round"
    if problem is not None or round is None or baseline is None:
        unclear = problem or "no comparable result"
        return _unchecked(
            claim, ClaimClass.UNCLASSIFIED, unclear, benchmark=benchmark, subject=subject, baseline=baseline
        )
    asked = Multiple(
        benchmark,
        subject,
        baseline,
        round,
        baseline_round,
        claim.multiplier,
        claim.scenario,
        claim.accelerators,
    )
    found = groups(one for one in usable if one.accelerator in (subject, baseline))
    checks = check_multiplier(asked, found)
    named = [check for check in checks if check.named]
    reached = [comparison.reaches for check in named for comparison in check.compared]
    gaps = [check.missing for check in named if check.missing is not None]
    if not named:
        gaps = list(dict.fromkeys(_nothing_at_all(asked, found)))
    classification, why = _class_of_ratio(claim, named, gaps)
    return _finding(
        claim, classification, why, _verdict(reached), sentences.multiplier(asked, checks, gaps)
    ).model_copy(
        update={
            "accelerator": subject,
            "baseline_accelerator": baseline,
            "benchmark": benchmark,
            "round": round,
            "baseline_round": baseline_round,
            "scenarios": checks,
            "gaps": tuple(gaps),
        }
    )


def _nothing_at_all(asked: Multiple, found: Sequence[Group]) -> list[str]:
    """What is missing where neither side has a result in its round."""
    sides = ((asked.subject, asked.round), (asked.baseline, asked.baseline_round or asked.round))
    return [
        no_result(accelerator, None, round, asked.size, [g for g in found if g.accelerator == accelerator])
        for accelerator, round in sides
    ]


def _verdict(reached: Sequence[bool]) -> Verdict:
    if not reached:
        return Verdict.CANNOT_BE_CHECKED
    if all(reached):
        return Verdict.SUPPORTED
    return Verdict.SUPPORTED_IN_PART if any(reached) else Verdict.NOT_SUPPORTED


def _class_of_ratio(
    claim: VendorClaim, named: Sequence[ScenarioCheck], gaps: Sequence[str]
) -> tuple[ClaimClass, str]:
    compared = [comparison for check in named for comparison in check.compared]
    shown = compared or [comparison for check in named for comparison in check.elsewhere]
    if shown:
        preview = any(comparison.subject.preview or comparison.baseline.preview for comparison in shown)
        return _class_of(claim, preview=preview, same_size=bool(compared))
    if named and all(check.incompatible for check in named):
        return ClaimClass.EXCLUDED, f"{listed(gaps)} (incompatible-round)"
    return ClaimClass.UNCLASSIFIED, listed(gaps) or "no comparable result"


def _class_of(claim: VendorClaim, *, preview: bool, same_size: bool) -> tuple[ClaimClass, str]:
    """The class of a statement that published results speak to, and why."""
    if preview:
        what = "a published result of a preview system, which was not on sale when it was submitted"
        return ClaimClass.DIRECTIONAL, what
    if claim.stage == "preview":
        return ClaimClass.DIRECTIONAL, "a statement on a system that is not on sale"
    if not same_size:
        return ClaimClass.DIRECTIONAL, "the two sides have results on different system sizes or rounds only"
    if claim.stage == "marketing":
        return ClaimClass.DIRECTIONAL, "a statement that does not say which published result it rests on"
    return ClaimClass.COMPARABLE, "rests on published, available results that may be compared"
