"""Why a claim is excluded: code = sentence. A code is never reused or renamed once released."""

from __future__ import annotations

from rackrecord.codes import Code


class Reason(Code):
    """The reasons in the order in which they are checked and printed."""

    NOT_VERIFIED = (
        "not-verified",
        "not reviewed by MLCommons: a vendor's statement, a result after the deadline, one's own measurement",
    )
    NO_WORKLOAD = ("no-workload", "names no benchmark, so it cannot be tied to a workload")
    OPEN_DIVISION = ("open-division", "open division: model or accuracy may differ from the reference")
    PREVIEW = ("preview", "the system was not on sale when the result was submitted")
    RESEARCH_SYSTEM = ("research-system", "a research, development or internal system")
    OTHER_SUITE = ("other-suite", "measured in the other suite (edge or datacenter)")
    OTHER_SCENARIO = ("other-scenario", "measured in another scenario")
    LOWER_ACCURACY = ("lower-accuracy", "misses the accuracy target asked for")
    INCOMPATIBLE_ROUND = (
        "incompatible-round",
        "the benchmark changed between this round and the newest one used",
    )
    SUPERSEDED_ROUND = (
        "superseded-round",
        "an older round of the same accelerator; kept as software baseline",
    )
    LOOSER_LATENCY = (
        "looser-latency",
        "the benchmark's latency limit is looser than the SLO, or it has none",
    )
    NOT_TOKENS = ("not-tokens", "not a token rate, and no mean output tokens per request are on record")
    MIXED_ACCELERATORS = ("mixed-accelerators", "one figure for several kinds of accelerator")
    ACCELERATOR_COUNT_UNCLEAR = (
        "accelerator-count-unclear",
        "the number of accelerators is missing, or the source disagrees with itself",
    )
    NOT_A_CANDIDATE = ("not-a-candidate", "no option uses this accelerator")
    PRECISION = ("precision", "measured in a number format that the profile does not accept")
    OTHER_SCALE = (
        "other-scale",
        "measured on far more or far fewer accelerators than the unit of deployment",
    )
    INVALID = ("invalid", "the source marks errors or non-compliance")
