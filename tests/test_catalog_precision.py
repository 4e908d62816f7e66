"""Weight formats from the spellings in the published files."""

from __future__ import annotations

import pytest

from rackrecord.catalog.precision import weight_formats


@pytest.mark.parametrize(
    ("text", "formats"),
    [
        ("fp4", ("fp4",)),
        ("MXFP4", ("fp4",)),
        ("nvfp4", ("fp4",)),
        ("float8", ("fp8",)),
        ("bfloat16", ("bf16",)),
        ("INT8", ("int8",)),
        ("UINT4", ("uint4",)),
        ("bf16, fp8, fp4", ("bf16", "fp4", "fp8")),
        ("fp16,bf16,fp8", ("bf16", "fp16", "fp8")),
        ("fp8,fp4", ("fp4", "fp8")),
        ("BF16/F32/F8_E4M3/U8", ("bf16", "fp32", "fp8", "uint8")),
        # the KV cache is no weight
        ("NVFP4 weights with FP8 KV cache", ("fp4",)),
        ("NVFP4 weights and activations; FP8 KV cache", ("fp4",)),
        ("NVFP4, FP8 (KV cache)", ("fp4",)),
        ("fp4 weights, fp8 KV cache", ("fp4",)),
        ("nvfp4, fp8-kv", ("fp4",)),
        # what explains a format names none
        ("nvfp4 (E2M1 4-bit + FP8 block scales)", ("fp4",)),
        ("nvfp4 (E2M1 4-bit + FP8 block scales), GDN included", ("fp4",)),
        ("fp8 (static per-tensor PTQ, NVIDIA ModelOpt)", ("fp8",)),
        ("mxfp4 (LLMs), fp32 (embedding/reranker)", ("fp32", "fp4")),
        ("clip1:fp32,clip2:fp32,unet:fp8,vae:fp32", ("fp32", "fp8")),
        ("{'clip1': 'fp16', 'clip2': 'fp16', 'unet': 'fp8', 'vae': 'int8'}", ("fp16", "fp8", "int8")),
        ("UNSET", ()),
        ("", ()),
    ],
)
def test_weight_formats(text: str, formats: tuple[str, ...]) -> None:
    assert weight_formats(text) == formats
