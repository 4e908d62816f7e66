"""The verdicts on statements in words."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

import msgspec

from rackrecord.claim_check.efficiency import EfficiencyFinding, efficiency_text
from rackrecord.claim_check.multiplier import Comparison, Multiple, ScenarioCheck
from rackrecord.claim_check.wording import listed, plain, ratio_text
from rackrecord.profile.models import VendorClaim
from rackrecord.quantities import percent


def claimed(claim: VendorClaim) -> str:
    """What is claimed, in figures: `up to 3.7x`, `5,750,000 Tokens/s on 512`, `99.0 % scaling at 288`."""
    at = f" {claim.accelerators}" if claim.accelerators is not None else ""
    if claim.multiplier is not None:
        text = f"{as_printed(claim.multiplier)}x" + (f" on{at}" if at else "")
    elif claim.value is not None:
        text = f"{plain(claim.value)} {claim.unit}" + (f" on{at}" if at else "")
    else:
        assert claim.scaling_efficiency is not None  # one of the three, checked when it was read
        text = f"{percent(claim.scaling_efficiency)} scaling" + (f" at{at}" if at else "")
    return f"up to {text}" if claim.up_to else text


def as_printed(value: Decimal) -> str:
    """A number of a statement with every digit it was printed with: `2.50`."""
    return f"{value:,f}"


def multiplier(asked: Multiple, checks: Sequence[ScenarioCheck], gaps: Sequence[str]) -> str:
    """The verdict on a multiplier, one clause for what reaches it, what does not, and what was missing."""
    named = [check for check in checks if check.named]
    compared = [comparison for check in named for comparison in check.compared]
    everything = [comparison for check in checks for comparison in check.compared]
    detail = _Detail(
        size=len({comparison.subject.size for comparison in everything}) > 1,
        rounds=not compared or len({_rounds(comparison) for comparison in everything}) > 1,
    )
    reached = [_place(c, detail) for c in compared if c.reaches]
    short = [_place(c, detail) for c in compared if not c.reaches]
    target = f"{as_printed(asked.multiplier)}x"
    parts: list[str] = []
    if reached:
        parts.append(f"Supported in {listed([f'{place} ({ratio})' for place, ratio in reached])}")
    if short:
        missed = listed([f"{place} {ratio}" for place, ratio in short])
        do = "does" if len(short) == 1 else "do"
        parts.append(
            f"{missed} {do} not reach it" if reached else f"Not supported: {missed} {do} not reach {target}"
        )
    if not compared:
        parts.append("Cannot be checked")
    elif not detail.rounds and compared[0].other_rounds:
        parts[-1] += f", {_rounds(compared[0])}"
    parts.extend(gaps)
    text = "; ".join(parts) if compared else ": ".join((parts[0], "; ".join(parts[1:])))
    return ". ".join([text, *_elsewhere(named, target), *_unnamed(checks, detail)]) + "."


class _Detail(msgspec.Struct, frozen=True):
    """What has to be told apart in a sentence because it is not the same throughout."""

    size: bool
    rounds: bool


def _rounds(comparison: Comparison) -> str:
    return f"{comparison.subject.round} against {comparison.baseline.round}"


def _place(comparison: Comparison, detail: _Detail) -> tuple[str, str]:
    where = f"{comparison.scenario} on {comparison.subject.size}" if detail.size else comparison.scenario
    if detail.rounds and comparison.other_rounds:
        where += f" of {_rounds(comparison)}"
    return where, ratio_text(comparison.ratio_best)


def _elsewhere(checks: Sequence[ScenarioCheck], target: str) -> list[str]:
    """What a comparison across system sizes would say: the nearest there is, or what it would take."""
    texts = []
    for check in checks:
        for pair in check.elsewhere:
            sizes = _sides(pair)
            ratio = ratio_text(pair.ratio_best)
            if check.compared:
                texts.append(f"It would take {sizes} to reach {target} in {check.scenario} ({ratio})")
            else:
                texts.append(f"The nearest in {check.scenario} is {sizes}: {ratio}, which decides nothing")
    return texts


def _sides(pair: Comparison) -> str:
    """`72 against 4 accelerators`, `v6.1 against v6.0 on 8 accelerators`."""
    if pair.subject.size == pair.baseline.size:
        return f"{_rounds(pair)} on {pair.subject.size} accelerators"
    sizes = f"{pair.subject.size} against {pair.baseline.size} accelerators"
    return sizes if pair.subject.round == pair.baseline.round else f"{sizes} ({_rounds(pair)})"


def _unnamed(checks: Sequence[ScenarioCheck], detail: _Detail) -> list[str]:
    """The scenarios that the statement does not name."""
    places = [_place(c, detail) for check in checks if not check.named for c in check.compared]
    if not places:
        return []
    return [f"In scenarios that it does not name: {listed([f'{place} {ratio}' for place, ratio in places])}"]


def efficiency(finding: EfficiencyFinding) -> str:
    """The verdict on a scaling efficiency."""
    if finding.missing is not None:
        return f"Cannot be checked: {finding.missing}."
    reached: list[str] = []
    short: list[str] = []
    for check in finding.checks:
        for step in check.steps if check.named else ():
            (reached if step.reaches else short).append(f"{check.scenario} {efficiency_text(step)}")
    parts = []
    if reached:
        parts.append(f"Supported in {listed(reached)}")
    if short:
        do = "does" if len(short) == 1 else "do"
        missed = f"{listed(short)} {do} not reach it"
        parts.append(missed if reached else f"Not supported: {missed}")
    return "; ".join(parts) + "."
