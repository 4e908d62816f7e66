"""Rows of the official summaries as small literals, one real row of each layout, and files made of them."""

from __future__ import annotations

import csv
import io
import json
from datetime import date
from typing import Any

from rackrecord.catalog.mlperf import Import, read_summary

RETRIEVED = date(2026, 11, 30)

# v4.1, datacenter, closed: counts are floats, no total, compliance is 1
V41: dict[str, Any] = {
    "ID": "v4.1-0001",
    "Submitter": "AMD",
    "Availability": "available",
    "Category": "closed",
    "Suite": "datacenter",
    "System": "Supermicro AS-8125GS-TNMR2",
    "Platform": "1xMI300X_2xEPYC-9374F",
    "UsedModel": "llama2-70b-99",
    "Model": "llama2-70b-99",
    "Scenario": "Offline",
    "Accuracy": "ROUGE1: 44.5321  ROUGE2: 22.1191  ROUGEL: 28.7225  TOKENS_PER_SAMPLE: 293.7",
    "Nodes": 1,
    "Processor": "2xAMD EPYC 9374F",
    "host_processors_per_node": 2,
    "host_processor_core_count": 32.0,
    "Accelerator": "AMD Instinct MI300X-NPS1-SPX-192GB-750W",
    "a#": 1.0,
    "Location": "closed/AMD/results/1xMI300X_2xEPYC-9374F/llama2-70b-99/Offline",
    "Software": "vLLM 0.4.3+rocm614, PyTorch 2.3.0, ROCm 6.1.2",
    "operating_system": "Ubuntu 22.04.4 LTS (Jammy Jellyfish)",
    "Notes": "",
    "compliance": 1,
    "errors": 0,
    "version": "v4.1",
    "inferred": 0,
    "has_power": False,
    "weight_data_types": "fp8",
    "p#": 2,
    "Details": "",
    "Code": "",
    "Unique ID (e.g. for Audit)": "datacenter/closed/AMD/1xMI300X_2xEPYC-9374F",
    "ColorKey": "availableAMD",
    "Performance_Result": 3062.72,
    "Performance_Units": "Tokens/s",
}

# v6.0: counts are whole numbers, a total, compliance is the division; its counts disagree (87, 88)
V60: dict[str, Any] = {
    **V41,
    "ID": "6.0-0001",
    "System": "AMD MI355X Custom Cluster",
    "Platform": "87xMI355X_22xEPYC_9575F",
    "Accuracy": "ROUGE1: 44.426  ROUGE2: 22.0612  ROUGEL: 28.834  TOKENS_PER_SAMPLE: 284.3",
    "Nodes": 11,
    "Accelerator": "AMD Instinct MI355X 288GB HBM3e (x87)",
    "a#": 8,
    "Total Accelerators": 88,
    "Location": "./closed/AMD/results/87xMI355X_22xEPYC_9575F/llama2-70b-99/Offline/performance/run_1",
    "Software": "PyTorch 2.9.1+git8907517, ROCm 7.0.0",
    "compliance": "closed",
    "version": "v6.0",
    "weight_data_types": "fp4",
    "Performance_Result": 1042110.0,
}

# v6.1, as in summary.csv: every cell is text
V61: dict[str, Any] = {
    "Organization": "Azure",
    "Availability": "available",
    "Division": "closed",
    "SystemType": "datacenter",
    "SystemName": "Azure GB200 NVL72 (72x GB200-186GB_aarch64, TensorRT)",
    "Platform": "Azure-GB200-NVL72_186GBx72",
    "Model": "deepseek-r1",
    "MlperfModel": "deepseek-r1",
    "Scenario": "Offline",
    "Result": "542075.0",
    "Accuracy": "exact_match: 81.35824977210574  TOKENS_PER_SAMPLE: 3739.669553327256",
    "number_of_nodes": "18",
    "host_processor_model_name": "NVIDIA Grace CPU",
    "host_processors_per_node": "2",
    "host_processor_core_count": "144",
    "accelerator_model_name": "NVIDIA GB200",
    "accelerators_per_node": "4",
    "total_accelerators": "72",
    "Location": "./closed/Azure/results/Azure-GB200-NVL72_186GBx72/deepseek-r1/Offline/performance/run_1",
    "framework": "TensorRT 10.14, CUDA 13.1, cuDNN 9.17, TensorRT-LLM feat/1.2-mlpinf",
    "operating_system": "Ubuntu 24.04",
    "notes": "NVIDIA GB200 NVL72, 1200W TGP Per GPU",
    "compliance": "closed",
    "errors": "0",
    "version": "v6.1",
    "inferred": "0",
    "has_power": "False",
    "Units": "Tokens/s",
    "weight_data_types": "fp4",
    "design_power_watts": "None",
    "PrivateID": "",
}

# the same row as in summary.json of v6.1: numbers as numbers, booleans, null
V61_JSON: dict[str, Any] = {
    **V61,
    "Result": 542075.0,
    "number_of_nodes": 18,
    "host_processors_per_node": 2,
    "host_processor_core_count": 144,
    "accelerators_per_node": 4,
    "total_accelerators": 72,
    "errors": 0,
    "inferred": 0,
    "has_power": False,
    "design_power_watts": None,
}


def json_list(*rows: dict[str, Any]) -> bytes:
    """A `summary_results.json` (v4.1 to v6.0)."""
    return json.dumps(list(rows), indent=2).encode()


def json_object(*rows: dict[str, Any]) -> bytes:
    """A `summary.json` (v6.1)."""
    return json.dumps({str(index): row for index, row in enumerate(rows)}, indent=2).encode()


def csv_file(*rows: dict[str, Any]) -> bytes:
    """A `summary.csv` (v6.1): a plain header, every cell quoted."""
    text = io.StringIO(newline="")
    text.write(",".join(rows[0]) + "\n")
    csv.writer(text, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(row.values() for row in rows)
    return text.getvalue().encode()


def read(data: bytes, **options: Any) -> Import:
    """An import with the options that no test is about."""
    return read_summary(data, "summary", **{"source": "a source", "retrieved": RETRIEVED, **options})
