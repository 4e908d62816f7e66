"""Citation texts by the MLPerf results messaging guidelines of MLCommons; no other module words them.

The guidelines ask for the submitter, the benchmark with its version and the system in the text; in a footnote
for the suite, version, division, benchmark, scenario, date and source of retrieval, result id, verification
and legend; for every difference between results set side by side; and for derived metrics to be called so.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal

from rackrecord.catalog.benchmarks import round_order
from rackrecord.catalog.claim import Claim
from rackrecord.claim_check.results import scenario_order
from rackrecord.claim_check.wording import listed, published_text
from rackrecord.data import Data

MARK = "MLPerf®"
LEGEND = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the "
    "United States and other countries. All rights reserved. Unauthorized use strictly prohibited. "
    "See www.mlcommons.org for more information."
)
VERIFIED = "Result verified by MLCommons Association."
NOT_VERIFIED = "Result not verified by MLCommons Association."
UNVERIFIED_BESIDE_VERIFIED = (
    f"Unverified results have not been through an {MARK} review and may use measurement methodologies and/or "
    f"workload implementations that are inconsistent with the {MARK} specification for verified results."
)
DERIVED = (
    "Figures per accelerator, per rack, per unit of money and per joule, ratios, medians, and token rates "
    f"worked out from query or sample rates are derived from {MARK} Inference results. They are not "
    f"official {MARK} metrics and have not been verified by MLCommons Association."
)
NO_POWER = (
    f"No power was measured with these results, so no {MARK} power metric is stated. Rack power in this "
    "document is provisioned power from the profile and is combined with no result as a measurement."
)


class InText(Data):
    """How the text cites one result: a sentence and the number of its footnote."""

    claim: str
    number: int
    text: str


class Footnote(Data):
    """One footnote: the results of one round, suite, division, benchmark, scenario, source and retrieval
    date.
    """

    number: int
    text: str
    claims: tuple[str, ...]


class Citations(Data):
    """Everything that a document with these results has to say about them.

    `differences` is None for fewer than two results, `power` says which power metrics may stand beside them.
    """

    in_text: tuple[InText, ...]
    footnotes: tuple[Footnote, ...]
    legend: str
    derived: str
    differences: str | None
    power: str

    def number(self, claim_id: str) -> int:
        """The footnote of a result; KeyError for one that is not cited."""
        for citation in self.in_text:
            if citation.claim == claim_id:
                return citation.number
        raise KeyError(claim_id)


def citations(claims: Iterable[Claim]) -> Citations:
    """The citations of published results. Footnotes are numbered by benchmark, scenario and round, newest
    first.
    """
    cited = sorted({claim.id: claim for claim in claims}.values(), key=_order)
    notes: dict[tuple[object, ...], list[Claim]] = {}
    for claim in cited:
        notes.setdefault(_note_key(claim), []).append(claim)
    footnotes = tuple(_footnote(number, part) for number, part in enumerate(notes.values(), start=1))
    numbers = {claim_id: note.number for note in footnotes for claim_id in note.claims}
    return Citations(
        in_text=tuple(
            InText(claim=claim.id, number=numbers[claim.id], text=in_text(claim, numbers[claim.id]))
            for claim in cited
        ),
        footnotes=footnotes,
        legend=LEGEND,
        derived=DERIVED,
        differences=differences_statement(cited),
        power=power_statement(cited),
    )


def _order(claim: Claim) -> tuple[str, int, str, int, int, str]:
    major, minor = round_order(claim.round)
    return (claim.benchmark, scenario_order(claim.scenario), claim.scenario, -major, -minor, claim.id)


def _note_key(claim: Claim) -> tuple[object, ...]:
    return (*_title_parts(claim), claim.source, claim.retrieved)


def _title_parts(claim: Claim) -> tuple[str, str, str, str, str]:
    suite = " and ".join(suite.capitalize() for suite in claim.suites)
    return (claim.round, claim.division.capitalize(), suite, claim.benchmark_as_submitted, claim.scenario)


def benchmark_title(claim: Claim) -> str:
    """A result's complete benchmark name: `MLPerf® Inference v6.1 Closed Datacenter gpt-oss-120b Server`."""
    return f"{MARK} Inference {' '.join(_title_parts(claim))}"


def in_text(claim: Claim, number: int) -> str:
    """A result in a sentence, with submitter, benchmark and version, and system."""
    title = f"{MARK} Inference {claim.round} {claim.division.capitalize()} {claim.benchmark_as_submitted}"
    return (
        f"{claim.submitter} achieved a verified {published_text(claim.value)} {claim.unit} on the {title} "
        f"{claim.scenario} benchmark using {claim.system} ({_system_size(claim)}, {claim.availability}) "
        f"[{number}]"
    )


def _system_size(claim: Claim) -> str:
    if not claim.accelerators:
        return "no accelerator"
    if claim.accelerator_count is None:
        return "accelerator count unclear"
    return f"{claim.accelerator_count} accelerator{'s' if claim.accelerator_count != 1 else ''}"


def _footnote(number: int, claims: Sequence[Claim]) -> Footnote:
    first = claims[0]
    retrieved = f" {day_text(first.retrieved)}" if first.retrieved is not None else ""
    where = f"Retrieved from {first.source}{retrieved}, {_entries(claims)}."
    text = f"{benchmark_title(first)}. {where} {VERIFIED} {LEGEND}"
    return Footnote(number=number, text=text, claims=tuple(claim.id for claim in claims))


def _entries(claims: Sequence[Claim]) -> str:
    """The official result ids; where the source has none, the paths that it knows the results by."""
    ids = sorted({claim.result_id.removeprefix("v") for claim in claims if claim.result_id})
    paths = sorted({claim.location for claim in claims if not claim.result_id})
    parts = []
    if ids:
        parts.append(f"{'entry' if len(ids) == 1 else 'entries'} {', '.join(ids)}")
    if paths:
        parts.append(
            f"no result id in the source; {'path' if len(paths) == 1 else 'paths'} {', '.join(paths)}"
        )
    return "; ".join(parts)


def day_text(day: date) -> str:
    """A date as the guidelines write it: `30 November 2026`."""
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


# Not strftime, whose names depend on the machine's locale.
MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)

_COMPARED: tuple[tuple[str, Callable[[Claim], str]], ...] = (
    ("version", lambda claim: claim.round),
    ("division", lambda claim: claim.division),
    ("availability", lambda claim: claim.availability),
    ("benchmark", lambda claim: claim.benchmark),
    ("scenario", lambda claim: claim.scenario),
    (
        "accelerator count",
        lambda claim: str(claim.accelerator_count) if claim.accelerator_count is not None else "unclear",
    ),
)


def differences_statement(claims: Sequence[Claim]) -> str | None:
    """What results that stand side by side differ in, and what they share; None for fewer than two."""
    if len(claims) < 2:
        return None
    differ: list[str] = []
    same: list[str] = []
    for what, value in _COMPARED:
        values = sorted({value(claim) for claim in claims}, key=_natural)
        (differ if len(values) > 1 else same).append(f"{what} ({', '.join(values)})")
    shared = f"alike in {listed([*same, 'verification (all verified)'])}"
    if not differ:
        return f"The {MARK} results set side by side here are {shared}."
    return f"The {MARK} results set side by side here differ in {listed(differ)}; they are {shared}."


def _natural(value: str) -> tuple[Decimal, str]:
    return (Decimal(value), "") if value.isdecimal() else (Decimal(-1), value)


def power_statement(claims: Sequence[Claim]) -> str:
    """Which power metrics may stand beside these results: only those measured with them."""
    measured = [claim for claim in claims if claim.power is not None]
    if not measured:
        return NO_POWER
    listing = [
        f"{published_text(claim.power)} {claim.power_unit} "
        f"({claim.submitter}, {claim.platform}, {claim.scenario})"
        for claim in measured
        if claim.power is not None
    ]
    return (
        f"Power was measured by the {MARK} Power methodology with {len(measured)} of {len(claims)} results: "
        f"{'; '.join(listing)}. It is combined with the result it was measured with and with no other."
    )
