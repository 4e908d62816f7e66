"""SemiAnalysis InferenceX aggregates: `agg_*.json`, or an array of them. Latencies are seconds.

Its rates are **per accelerator**: `tput_per_gpu` is input and output over all of them; `output_tput_per_gpu`
is output over the *decode* accelerators when the run is multinode and disaggregated, over all of them
otherwise (and `input_tput_per_gpu` likewise over the prefill ones). Keys and divisors as in
SemiAnalysisAI/InferenceX `utils/process_result.py`; the division by decode accelerators came on 2025-11-05.
Which divisor a file used is checked by arithmetic: input and output of the whole system must add up to the
total.

`*_intvty` is 1/TPOT, a rate of one user, and never read. Experiments of the same project write whole-system
rates under vLLM's names with latencies in seconds (`median_ttft` without `_ms`); they are read here too.
"""

from __future__ import annotations

from dataclasses import dataclass

from rackrecord.measurements.build import Parts, keyed_summary, measurement, seconds
from rackrecord.measurements.content import Content, Source
from rackrecord.measurements.fields import Fields, each_record, joined, plain, ratio
from rackrecord.measurements.measurement import LatencySummary
from rackrecord.measurements.reader import Facts, Reader, Reading

TOOL = "InferenceX"
TOLERANCE = 0.02


@dataclass(frozen=True, slots=True)
class Topology:
    """The accelerators of a run; `prefill` and `decode` are 0 where the roles share them all."""

    total: int
    prefill: int
    decode: int
    source: str


@dataclass(frozen=True, slots=True)
class Rates:
    """Whole-system tokens/s, how they came from the per-accelerator ones, and what is unclear about it."""

    output: float
    total: float
    text: str
    unclear: str | None


def _recognize(content: Content) -> bool:
    first = content.first
    if "tput_per_gpu" in first:
        return True
    return "output_throughput" in first and "median_ttft" in first and "median_ttft_ms" not in first


def _read(content: Content, source: Source) -> tuple[Reading, ...]:
    return tuple(
        _aggregate(fields, label, source)
        if fields.has("tput_per_gpu")
        else _experiment(fields, label, source)
        for fields, label in each_record(content, source)
    )


def _aggregate(fields: Fields, label: str, source: Source) -> Reading:
    topology = _topology(fields)
    rates = _rates(fields, topology)
    known: Parts = {
        **_common(fields, label),
        "total_tokens_per_second": rates.total,
        "input_tokens_per_second": rates.total - rates.output if rates.total >= rates.output else None,
        "accelerators": topology.total,
        "accelerators_source": topology.source,
    }
    facts = Facts(
        converted=rates.text,
        scope_unclear=rates.unclear,
        requested_output_tokens=fields.number_or_none("osl"),
    )
    return Reading(measurement(TOOL, source, rates.output, known), facts)


def _experiment(fields: Fields, label: str, source: Source) -> Reading:
    if not fields.has("output_throughput"):
        fields.fail("tput_per_gpu", "missing; the tokens per second per accelerator are expected")
    tensor = fields.count_or_none("tp")
    duration = fields.number_or_none("duration")
    tokens = fields.number_or_none("total_output_tokens")
    known: Parts = {
        **_common(fields, label),
        "total_tokens_per_second": fields.number_or_none("total_token_throughput"),
        "duration_s": duration,
        "completed": fields.count_or_none("completed"),
        "failed": fields.count_or_none("failed"),
        "accelerators": tensor or None,
        "accelerators_source": "tp" if tensor else None,
    }
    facts = Facts(
        recomputed_output_rate=ratio(tokens, duration),
        recomputed_from="total_output_tokens ÷ duration",
        output_count=tokens,
        requested_output_tokens=fields.number_or_none("osl"),
    )
    return Reading(measurement(TOOL, source, fields.number("output_throughput"), known), facts)


def _common(fields: Fields, label: str) -> Parts:
    concurrency = fields.number_or_none("conc")
    if concurrency is None:
        concurrency = fields.number_or_none("max_concurrency")
    lengths = [fields.number_or_none(key) for key in ("isl", "osl")]
    return Parts(
        label=joined(
            (
                label,
                fields.text_or_none("hw"),
                " / ".join(plain(length) for length in lengths if length is not None) or None,
                f"concurrency {plain(concurrency)}" if concurrency is not None else None,
            )
        ),
        model=fields.text_or_none("model") or fields.text_or_none("model_id"),
        ttft=_latency(fields, "ttft"),
        tpot=_latency(fields, "tpot"),
        itl=_latency(fields, "itl"),
        e2e=_latency(fields, "e2el") or _latency(fields, "e2e_latency"),
        concurrency=concurrency,
    )


def _latency(fields: Fields, name: str) -> LatencySummary | None:
    """A latency in seconds, with the statistic before the name (`p99_ttft`) or after it (`ttft_p99`)."""
    return keyed_summary(fields, "{stat}_" + name, seconds) or keyed_summary(
        fields, name + "_{stat}", seconds
    )


def _topology(fields: Fields) -> Topology:
    multinode = fields.flag_or_none("is_multinode")
    if not multinode:
        total = 1
        used = []
        for key in ("tp", "pp", "pcp_size"):
            size = fields.count_or_none(key)
            if size is None and key == "tp":
                fields.fail("tp", "missing; the tensor-parallel size of a single-node run is expected")
            if size is not None:
                total *= size
                used.append(key)
        if total == 0:
            fields.fail("tp", "a parallel size of 0; at least 1 is expected")
        return Topology(total, 0, 0, " × ".join(used))
    counts = []
    for key in ("num_prefill_gpu", "num_decode_gpu"):
        count = fields.count_or_none(key)
        if count is None:
            fields.fail(key, "missing; the number of accelerators of a multinode run is expected")
        counts.append(count)
    prefill, decode = counts
    if prefill + decode == 0:
        fields.fail("num_prefill_gpu", "0 accelerators in all; at least 1 is expected")
    return Topology(prefill + decode, prefill, decode, "num_prefill_gpu + num_decode_gpu")


def _rates(fields: Fields, topology: Topology) -> Rates:
    per_accelerator = fields.number("tput_per_gpu")
    output = fields.number("output_tput_per_gpu")
    incoming = fields.number_or_none("input_tput_per_gpu")
    total = per_accelerator * topology.total
    by_role, over_all = output * topology.decode, output * topology.total
    text = f"output_tput_per_gpu {output:,.2f} × "
    everywhere = Rates(over_all, total, f"{text}{topology.total} accelerators", None)
    decoding = Rates(by_role, total, f"{text}{topology.decode} decode accelerators of {topology.total}", None)
    if topology.decode == 0 or topology.prefill == 0:
        return everywhere
    if fields.has(
        "output_tput_per_decode_gpu"
    ):  # a variant that keeps the decode figure under a name of its own
        return everywhere
    if fields.flag_or_none("disagg") is False:
        unclear = "prefill and decode accelerators are given for a run that is not disaggregated"
        return Rates(min(by_role, over_all), total, decoding.text, unclear)
    if incoming is None:
        if output > per_accelerator * (1 + TOLERANCE):  # more output than total: it cannot be over all
            return decoding
        unclear = "input_tput_per_gpu is missing, so output over decode accelerators or over all fit alike"
        return Rates(by_role, total, decoding.text, unclear)
    if _near(by_role + incoming * topology.prefill, total):
        return decoding
    if _near(over_all + incoming * topology.total, total):
        return everywhere
    unclear = "input and output add up to the total neither by role nor over all accelerators"
    return Rates(by_role, total, decoding.text, unclear)


def _near(found: float, expected: float) -> bool:
    return abs(found - expected) <= TOLERANCE * expected


READER = Reader("inferencex", TOOL, _recognize, _read)
