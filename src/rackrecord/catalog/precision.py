"""Number formats of a model's weights, from the many ways in which submitters write them."""

from __future__ import annotations

import re

_FORMATS = {
    "fp4": "fp4", "mxfp4": "fp4", "nvfp4": "fp4", "float4": "fp4", "f4_e2m1": "fp4",
    "fp6": "fp6", "mxfp6": "fp6",
    "fp8": "fp8", "mxfp8": "fp8", "float8": "fp8", "f8": "fp8", "f8_e4m3": "fp8", "f8_e5m2": "fp8",
    "bf16": "bf16", "bfloat16": "bf16",
    "fp16": "fp16", "float16": "fp16", "f16": "fp16",
    "tf32": "tf32",
    "fp32": "fp32", "float32": "fp32", "f32": "fp32",
    "fp64": "fp64", "float64": "fp64", "f64": "fp64",
    "int4": "int4", "int8": "int8", "int16": "int16",
    "uint4": "uint4", "u4": "uint4", "uint8": "uint8", "u8": "uint8",
}  # fmt: skip

_PARENTHESES = re.compile(r"\([^()]*\)")
_PARTS = re.compile(r"[,;/+]|\bwith\b|\band\b")
_WORD = re.compile(r"[a-z0-9_]+")
_CACHE = re.compile(r"\bkv\b|kv[_ -]?cache|\bcache\b")


def weight_formats(text: str) -> tuple[str, ...]:
    """The formats of the weights, sorted, without repeats: "NVFP4 weights with FP8 KV cache" gives ("fp4",).

    A format that the text gives for the KV cache is none of the weights'; what stands in parentheses explains
    a format and names none. Nothing recognized (UNSET) gives ().
    """
    # a comma inside parentheses must not part "fp8 (static, calibrated)"; "(KV cache)" belongs to its format
    lowered = _PARENTHESES.sub(lambda found: " kv " if _CACHE.search(found[0]) else " ", text.casefold())
    weights = (part for part in _PARTS.split(lowered) if not _CACHE.search(part))
    words = (word for part in weights for word in _WORD.findall(part))
    return tuple(sorted({_FORMATS[word] for word in words if word in _FORMATS}))
