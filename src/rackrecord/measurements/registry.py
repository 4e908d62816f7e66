"""Every load-test format that is read, in the order in which recognition tries them."""

from __future__ import annotations

from rackrecord.measurements.reader import Reader
from rackrecord.measurements.tools import (
    aiperf,
    endpoints,
    genai_perf,
    guidellm,
    inference_perf,
    inferencex,
    llmperf,
    loadgen_detail,
    loadgen_summary,
    sglang,
    vllm,
)

READERS: tuple[Reader, ...] = (
    loadgen_detail.READER,
    loadgen_summary.READER,
    endpoints.READER,
    sglang.READER,
    inferencex.READER,
    vllm.READER,
    guidellm.READER,
    inference_perf.READER,
    llmperf.READER,
    aiperf.READER,
    genai_perf.READER,
)
