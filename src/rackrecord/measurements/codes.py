"""The named checks on a measurement: a code, its one sentence, and how much it matters."""

from enum import StrEnum

from rackrecord.codes import Code
from rackrecord.data import Data


class Severity(StrEnum):
    """How much a check matters: told, weighed by the reader, or a reason not to use the figure."""

    NOTE = "note"
    WARNING = "warning"
    UNUSABLE = "unusable"


class CheckCode(Code):
    """The checks in the order in which they are reported."""

    INVALID_RUN = "invalid-run", "The tool itself does not call this run valid and complete."
    NO_OUTPUT = "no-output", "No output token was counted."
    OUTPUT_ABOVE_TOTAL = "output-above-total", "The output rate is above the total (input + output) rate."
    SCOPE_CONVERTED = (
        "scope-converted",
        "The file's figure is per accelerator, per user or per role; it was converted to the whole system.",
    )
    SCOPE_UNCLEAR = (
        "scope-unclear",
        "The file does not say which accelerators its per-accelerator figure counts.",
    )
    TOKENS_OVER_DURATION = (
        "tokens-over-duration",
        "Tokens divided by time do not give the stated rate within 2 %.",
    )
    TOKEN_COUNTS_DIFFER = (
        "token-counts-differ",
        "The file counts its output tokens in two ways that differ by over 2 %.",
    )
    FAILED_REQUESTS = "failed-requests", "Requests failed."
    UNFINISHED_REQUESTS = "unfinished-requests", "Requests were issued but not finished in the measured time."
    FAILURES_NOT_RECORDED = "failures-not-recorded", "The file does not say how many requests failed."
    OFFERED_NOT_ACHIEVED = (
        "offered-not-achieved",
        "The system did not keep up with the offered load; the offered rate is not a result.",
    )
    NOT_A_MEAN = "not-a-mean", "The output rate is a peak or a median, not a mean over the run."
    BLENDED_STAGES = (
        "blended-stages",
        "A summary over several load stages, which is the rate at none of them; use the file of one stage.",
    )
    LEGACY_WINDOW = (
        "legacy-window",
        "The rate counts a window that ends with the last-issued query, not the whole run.",
    )
    ACCELERATORS_MISSING = "accelerators-missing", "The number of accelerators is not recorded; give it."
    ACCELERATORS_DISAGREE = "accelerators-disagree", "The number given is not the number in the file."
    LATENCY_DEFINITION = (
        "latency-definition",
        "A latency of this tool is defined differently from the others' of its name.",
    )
    PERCENTILES_FALL = "percentiles-fall", "A higher percentile is below a lower one."
    DUPLICATE_POINT = "duplicate-point", "The same result stands in the input more than once."
    MODEL_NOT_RECORDED = "model-not-recorded", "The file does not name the model."
    MODEL_DIFFERS = "model-differs", "The model is not the expected one."
    OUTPUT_LENGTH_DIFFERS = (
        "output-length-differs",
        "The mean output length is more than twice or less than half of the expected one.",
    )


class Check(Data):
    """One finding on one measurement. `message` is a sentence that names the figures it speaks of."""

    code: CheckCode
    severity: Severity
    message: str
