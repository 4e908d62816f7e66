"""A claim: one published benchmark result in the project's own schema."""

from datetime import date
from decimal import Decimal
from enum import StrEnum
from typing import Literal, get_args

from rackrecord.data import Data

ScenarioName = Literal["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]
SCENARIOS: tuple[str, ...] = get_args(ScenarioName)
"""The scenarios that results are published in, in the order of a list of them."""


class CaveatCode(StrEnum):
    """What a reader must know about a figure. A code is never reused or renamed once released."""

    # left on a claim by the importer's named repairs and checks
    INFERRED = "inferred"
    SERVER_ABOVE_OFFLINE = "server-above-offline"
    COUNT_CONFLICT = "count-conflict"
    UNIT_REPAIRED = "unit-repaired"
    SCENARIO_SPELLING = "scenario-spelling"
    DIVISION_NOTE_CONFLICT = "division-note-conflict"
    UNKNOWN_ACCELERATOR = "unknown-accelerator"
    # left on an option or a record by selection, economics and the review
    SINGLE_SOURCE = "single-source"
    OUTLIER = "outlier"
    SCALED = "scaled"
    SAME_RUN = "same-run"
    OLDER_ROUND = "older-round"
    SHAPE_DIFFERS = "shape-differs"
    DERIVED_TOKENS = "derived-tokens"
    BENCHMARK_CEILING = "benchmark-ceiling"
    UTILIZATION_TOO_HIGH = "utilization-too-high"
    TERM_ASSUMPTION = "term-assumption"
    PUE_OF_ONE = "pue-of-one"
    STALE_PRICE = "stale-price"
    ILLUSTRATIVE_INPUT = "illustrative-input"
    MIXED_WORKLOAD = "mixed-workload"
    EVIDENCE_AGE = "evidence-age"


class Caveat(Data):
    """A caveat with its one sentence, which names the figures it speaks of."""

    code: CaveatCode
    text: str


class Claim(Data, kw_only=True):
    """One published result.

    `value` counts `unit` for the whole system, as published. `accelerator` is a canonical id of
    `catalog.accelerators`, several joined by `+` for a mixed system, empty for a system without any; a
    spelling that the table does not know stays as it was submitted. `accelerator_count` is None where the
    source gives none or disagrees with itself. `location` is the result's path in the official repository,
    `source` the file it was taken from on the day `retrieved`.
    """

    id: str
    round: str
    published: date
    division: str
    availability: str
    suites: tuple[str, ...]
    submitter: str
    system: str
    platform: str
    benchmark: str
    accuracy_target: str | None
    benchmark_as_submitted: str
    model_as_submitted: str
    scenario: str
    value: Decimal
    unit: str
    accelerator: str
    accelerator_as_submitted: str
    accelerator_count: int | None
    nodes: int | None
    accelerators_per_node: int | None
    precision: tuple[str, ...]
    precision_as_submitted: str
    software: str
    inferred: bool
    valid: bool
    mean_output_tokens: Decimal | None
    power: Decimal | None
    power_unit: str | None
    result_id: str | None
    location: str
    source: str
    retrieved: date | None = None
    caveats: tuple[Caveat, ...]

    @property
    def accelerators(self) -> tuple[str, ...]:
        """The kinds of accelerator in the system, none for a CPU system."""
        return tuple(self.accelerator.split("+")) if self.accelerator else ()

    @property
    def per_accelerator(self) -> Decimal | None:
        """`value` per accelerator, in `unit` per accelerator; derived, not an official MLPerf metric.

        None for a latency, which more accelerators do not share, and where the count is not known.
        """
        if not self.accelerator_count or not self.unit.endswith("/s"):
            return None
        return self.value / self.accelerator_count
