"""Spellings of accelerators as the published files have them."""

from __future__ import annotations

import pytest

from rackrecord.catalog.accelerators import (
    accelerator_name,
    accelerators,
    canonical,
    find_accelerator,
    parts_of,
)
from rackrecord.catalog.claim import CaveatCode
from rackrecord.catalog.store import bundled_catalog

MI300X_MI325X = "AMD Instinct MI300X 192GB HBM3 (x32), AMD Instinct MI325X 256GB HBM3e (x16)"
THREE_KINDS = (
    "AMD Instinct MI300X 192GB HBM3 (x8) and AMD Instinct MI325X 256GB HBM3e (x8) "
    "and AMD Instinct MI355X 288GB HBM3e (x8)"
)


@pytest.mark.parametrize(
    ("spelling", "accelerator"),
    [
        # one chip, five spellings
        ("AMD Instinct MI355X", "amd-mi355x"),
        ("AMD Instinct MI355X 288GB HBM3e", "amd-mi355x"),
        ("AMD Instinct MI355X 288GB HBM3E", "amd-mi355x"),
        ("AMD Instinct MI355X 288GB HBM3e (x87)", "amd-mi355x"),
        ("AMD Instinct MI355X 288GB HBM3e (x94)", "amd-mi355x"),
        ("NVIDIA B300-SXM-270GB", "nvidia-b300"),
        ("Nvidia B300-SXM-270GB", "nvidia-b300"),
        ("NVIDIA Vera Rubin", "nvidia-vera-rubin"),
        ("NVIDIA VR200", "nvidia-vera-rubin"),
        ("NVIDIA GB300", "nvidia-gb300"),
        ("Tesla T4", "nvidia-t4"),
        ("MS-Intel Arc Pro B60 Dual 48G Turbo", "intel-arc-pro-b60-dual"),
        ("[MAXSUN] MS-Intel Arc Pro B60 Dual 48G Turbo", "intel-arc-pro-b60-dual"),
        ("NVIDIA L4", "nvidia-l4"),
        ("NVIDIA L4-PCIe-24GB", "nvidia-l4"),
        # other conditions, other kinds
        ("AMD Instinct MI355X 288GB HBM3e (Power Cap 1000 W)", "amd-mi355x-1000w"),
        ("Virtualized NVIDIA H200-SXM-141GB", "nvidia-h200-sxm-virtualized"),
        ("NVIDIA H200-SXM-141GB-CTS", "nvidia-h200-sxm-cts"),
        ("NVIDIA H200-SXM-141GB", "nvidia-h200-sxm"),
        ("NVIDIA H200-NVL-141GB", "nvidia-h200-nvl"),
        ("NVIDIA RTX PRO 4500 Blackwell", "nvidia-rtx-pro-4500-blackwell"),
        ("NVIDIA RTX PRO 4500 Blackwell Server Edition", "nvidia-rtx-pro-4500-blackwell-server"),
        # mixed systems, in the three ways they are written
        (MI300X_MI325X, "amd-mi300x+amd-mi325x"),
        (
            "AMD Instinct MI325X 256GB HBM3E (x16), AMD Instinct MI300X 192GB HBM3 (x8)",
            "amd-mi300x+amd-mi325x",
        ),
        (THREE_KINDS, "amd-mi300x+amd-mi325x+amd-mi355x"),
        ("NVIDIA H200-SXM-141GB + AMD Instinct MI350X 288GB HBM3e", "amd-mi350x+nvidia-h200-sxm"),
        (
            "AMD Instinct MI300X 192GB HBM3 (x2x8) and AMD Instinct MI355X 288GB HBM3e (x2x8)",
            "amd-mi300x+amd-mi355x",
        ),
        # never guessed
        ("NVIDIA GB400", None),
        ("NVIDIA H200", None),
        ("NVIDIA GB300 and NVIDIA GB400", None),
        ("", None),
        ("N/A", None),
    ],
)
def test_canonical(spelling: str, accelerator: str | None) -> None:
    assert canonical(spelling) == accelerator


@pytest.mark.parametrize(
    ("text", "accelerator"),
    [
        ("nvidia-gb300", "nvidia-gb300"),
        ("NVIDIA GB300", "nvidia-gb300"),
        ("nvidia  gb300", "nvidia-gb300"),
        ("GB300", "nvidia-gb300"),
        ("VR200", "nvidia-vera-rubin"),
        ("mi355x", "amd-mi355x"),
        ("H200 SXM", "nvidia-h200-sxm"),
        ("H200", None),
        ("amd-mi325x+amd-mi300x", "amd-mi300x+amd-mi325x"),
        (THREE_KINDS, "amd-mi300x+amd-mi325x+amd-mi355x"),
        ("nvidia-gb300+nothing", None),
        ("", None),
        ("+", None),
    ],
)
def test_find_accelerator(text: str, accelerator: str | None) -> None:
    assert find_accelerator(text) == accelerator


def test_names() -> None:
    assert accelerator_name("nvidia-b300") == "NVIDIA B300"
    assert accelerator_name("amd-mi300x+amd-mi325x") == "AMD Instinct MI300X + AMD Instinct MI325X"
    assert accelerator_name("NVIDIA GB400") == "NVIDIA GB400"
    assert accelerator_name("") == ""


@pytest.mark.parametrize("cell", ["", "N/A", "n/a", "None", "-", " "])
def test_a_system_without_accelerators(cell: str) -> None:
    assert parts_of(cell) == ()


def test_no_spelling_stands_for_two_accelerators() -> None:
    spellings = [
        (" ".join(text.split()).casefold(), accelerator.id)
        for accelerator in accelerators().values()
        for text in (accelerator.id, accelerator.name, *accelerator.spellings)
    ]
    assert len({spelling for spelling, _ in spellings}) == len(set(spellings))


def test_every_bundled_spelling_is_on_record() -> None:
    catalog = bundled_catalog()
    assert catalog.accelerators() == set(accelerators())
    codes = {caveat.code for claim in catalog.all_claims() for caveat in claim.caveats}
    assert CaveatCode.UNKNOWN_ACCELERATOR not in codes
