"""Statements of one profile that speak of the same thing and do not agree."""

from collections.abc import Sequence
from itertools import combinations

from rackrecord.catalog.benchmarks import find_benchmark
from rackrecord.claim_check.subjects import find_subject
from rackrecord.data import Data
from rackrecord.profile.models import VendorClaim


class Disagreement(Data):
    """That a statement does not agree with another one of the profile, by id."""

    other: str
    text: str


def disagreements(claims: Sequence[VendorClaim]) -> dict[str, tuple[Disagreement, ...]]:
    """For each statement that another one contradicts, by id, what they disagree on."""
    found: dict[str, list[Disagreement]] = {}
    for one, other in combinations(claims, 2):
        what = _disagreement(one, other)
        if what is None:
            continue
        text = f"{one.id} ({one.who}) and {other.id} ({other.who}) disagree on {what}{_open(one, other)}"
        found.setdefault(one.id, []).append(Disagreement(other=other.id, text=text))
        found.setdefault(other.id, []).append(Disagreement(other=one.id, text=text))
    return {claim_id: tuple(items) for claim_id, items in found.items()}


def _open(one: VendorClaim, other: VendorClaim) -> str:
    """The statement that names no scenario, where the other one does."""
    if (one.scenario is None) == (other.scenario is None):
        return ""
    return f"; {one.id if one.scenario is None else other.id} names no scenario"


def _disagreement(one: VendorClaim, other: VendorClaim) -> str | None:
    if one.benchmark is None or other.benchmark is None:
        return None
    if _benchmark(one) != _benchmark(other) or not _may_be_same(one, other):
        return None
    topic = _topic(one, other)
    if one.multiplier is not None and other.multiplier is not None:
        return _multipliers(one, other, topic)
    if _name(one.subject) != _name(other.subject):
        return None
    if one.value is not None and other.value is not None:
        if one.unit != other.unit or one.value == other.value or one.accelerators != other.accelerators:
            return None
        return f"{one.subject} on {topic}: {one.value:,f} and {other.value:,f} {one.unit}"
    if one.scaling_efficiency is not None and other.scaling_efficiency is not None:
        if one.scaling_efficiency == other.scaling_efficiency or one.accelerators != other.accelerators:
            return None
        both = f"{one.scaling_efficiency} and {other.scaling_efficiency}"
        return f"the scaling of {one.subject} on {topic}: {both}"
    return None


def _multipliers(one: VendorClaim, other: VendorClaim, topic: str) -> str | None:
    assert one.multiplier is not None  # both are checked by the caller
    assert other.multiplier is not None
    pair = (_name(one.subject), _name(one.baseline or one.subject))
    reverse = (_name(other.baseline or other.subject), _name(other.subject))
    if pair[0] != pair[1] and pair == reverse and one.multiplier > 1 and other.multiplier > 1:
        return f"which of {one.subject} and {other.subject} is the faster on {topic}"
    if pair != (_name(other.subject), _name(other.baseline or other.subject)):
        return None
    if _baseline_round(one) != _baseline_round(other):
        return None
    if one.multiplier == other.multiplier or _within_up_to(one, other) or _within_up_to(other, one):
        return None
    against = other.baseline or one.baseline or "its earlier round"
    return f"{one.subject} over {against} on {topic}: {one.multiplier}x and {other.multiplier}x"


def _within_up_to(most: VendorClaim, other: VendorClaim) -> bool:
    """`up to 3.7x` and a plain 2.5x agree."""
    assert most.multiplier is not None
    assert other.multiplier is not None
    return most.up_to and not other.up_to and other.multiplier <= most.multiplier


def _may_be_same(one: VendorClaim, other: VendorClaim) -> bool:
    """Whether two statements may speak of one thing: what only one of them names, the other leaves open."""
    pairs = ((one.scenario, other.scenario), (one.round, other.round), (one.accelerators, other.accelerators))
    return all(first is None or second is None or first == second for first, second in pairs)


def _baseline_round(claim: VendorClaim) -> str | None:
    return claim.baseline_round or claim.round


def _topic(one: VendorClaim, other: VendorClaim) -> str:
    parts = [one.benchmark or "", one.scenario or other.scenario or "", one.round or other.round or ""]
    return " ".join(part for part in parts if part)


def _name(text: str) -> str:
    return find_subject(text) or text.strip().casefold()


def _benchmark(claim: VendorClaim) -> str:
    found = find_benchmark(claim.benchmark or "")
    return found[0] if found is not None else (claim.benchmark or "").casefold()
