"""Citations by the messaging guidelines: in the text, in the footnote, and beside comparisons."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from rackrecord import citations as module
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.store import Catalog, bundled_catalog
from rackrecord.citations import citations, differences_statement, power_statement

LEGEND = (
    "The MLPerf name and logo are registered and unregistered trademarks of MLCommons Association in the "
    "United States "
    "and other countries. All rights reserved. Unauthorized use strictly prohibited. See www.mlcommons.org "
    "for more "
    "information."
)


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return bundled_catalog()


def pick(catalog: Catalog, benchmark: str, *ids: str) -> tuple[Claim, ...]:
    claims = {claim.id: claim for claim in catalog.claims(benchmark)}
    return tuple(claims[claim_id] for claim_id in ids)


CRUSOE = "v6.1/closed/Crusoe/512xMI355X_Crusoe_GPT/gpt-oss-120b/Offline"
COREWEAVE_61 = "v6.1/closed/CoreWeave/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server"
COREWEAVE_60 = "v6.0/closed/CoreWeave/GB300-NVL72_GB300-288GB_aarch64x64_TRT/gpt-oss-120b/Server"


def test_text_and_footnote_of_one_result(catalog: Catalog) -> None:
    found = citations(pick(catalog, "gpt-oss-120b", CRUSOE))
    (text,) = found.in_text
    assert text.text == (
        "Crusoe achieved a verified 5,749,440 Tokens/s on the MLPerf® Inference v6.1 Closed gpt-oss-120b "
        "Offline "
        "benchmark using Crusoe Cloud 64x8 MI355X (512 GPU) — gpt-oss-120b / vLLM (512 accelerators, "
        "available) [1]"
    )
    (note,) = found.footnotes
    assert note.text == (
        "MLPerf® Inference v6.1 Closed Datacenter gpt-oss-120b Offline. Retrieved from "
        "mlcommons/inference_results_v6.1 summary.csv 30 November 2026, no result id in the source; path "
        "closed/Crusoe/results/512xMI355X_Crusoe_GPT/gpt-oss-120b/Offline/performance/run_1. "
        f"Result verified by MLCommons Association. {LEGEND}"
    )
    assert (note.claims, found.number(CRUSOE)) == ((CRUSOE,), 1)
    assert found.legend == LEGEND
    assert found.differences is None


def test_a_result_id_is_given_where_there_is_one(catalog: Catalog) -> None:
    found = citations(pick(catalog, "gpt-oss-120b", COREWEAVE_60))
    assert "30 November 2026, entry 6.0-0016. Result verified" in found.footnotes[0].text


def test_the_id_of_the_first_rounds_loses_its_letter(catalog: Catalog) -> None:
    claim = next(claim for claim in catalog.claims("llama2-70b") if claim.round == "v4.1")
    assert claim.result_id is not None
    assert claim.result_id.startswith("v4.1-")
    assert f"entry {claim.result_id[1:]}." in citations((claim,)).footnotes[0].text


def test_footnotes_share_what_they_can_and_are_numbered_newest_first(catalog: Catalog) -> None:
    other = "v6.1/closed/NVIDIA/GB300-NVL72_GB300-288GB_aarch64x72_TRT/gpt-oss-120b/Server"
    claims = pick(catalog, "gpt-oss-120b", COREWEAVE_60, other, CRUSOE, COREWEAVE_61)
    found = citations(claims)
    assert [note.number for note in found.footnotes] == [1, 2, 3]
    assert [note.claims for note in found.footnotes] == [(CRUSOE,), (COREWEAVE_61, other), (COREWEAVE_60,)]
    assert [(item.claim, item.number) for item in found.in_text] == [
        (CRUSOE, 1),
        (COREWEAVE_61, 2),
        (other, 2),
        (COREWEAVE_60, 3),
    ]
    assert found == citations(reversed(claims))
    assert found == citations((*claims, *claims))


def test_an_uncited_result_has_no_number(catalog: Catalog) -> None:
    with pytest.raises(KeyError):
        citations(pick(catalog, "gpt-oss-120b", CRUSOE)).number(COREWEAVE_60)


def test_differences_are_stated_and_what_is_alike_too(catalog: Catalog) -> None:
    claims = pick(catalog, "gpt-oss-120b", COREWEAVE_61, COREWEAVE_60)
    assert differences_statement(claims) == (
        "The MLPerf® results set side by side here differ in version (v6.0, v6.1) and accelerator count "
        "(64, 72); "
        "they are alike in division (closed), availability (available), benchmark (gpt-oss-120b), scenario "
        "(Server) "
        "and verification (all verified)."
    )


@pytest.mark.parametrize(
    ("change", "stated"),
    [
        ({"availability": "preview"}, "availability (available, preview)"),
        ({"division": "open"}, "division (closed, open)"),
        ({"scenario": "Offline"}, "scenario (Offline, Server)"),
        ({"round": "v6.0"}, "version (v6.0, v6.1)"),
        ({"accelerator_count": 8}, "accelerator count (8, 72)"),
        ({"accelerator_count": None}, "accelerator count (unclear, 72)"),
    ],
)
def test_each_difference_that_the_guidelines_ask_for(
    catalog: Catalog, change: dict[str, object], stated: str
) -> None:
    (claim,) = pick(catalog, "gpt-oss-120b", COREWEAVE_61)
    text = differences_statement((claim, claim.model_copy(update=change)))
    assert text is not None
    assert f"differ in {stated};" in text


def test_results_without_a_difference(catalog: Catalog) -> None:
    (claim,) = pick(catalog, "gpt-oss-120b", COREWEAVE_61)
    text = differences_statement((claim, claim))
    assert text is not None
    assert "differ" not in text
    assert "accelerator count (72)" in text


def test_no_power_metric_where_none_was_measured(catalog: Catalog) -> None:
    text = power_statement(pick(catalog, "gpt-oss-120b", COREWEAVE_61))
    assert text.startswith("No power was measured with these results, so no MLPerf® power metric is stated.")


def test_measured_power_stays_with_its_result(catalog: Catalog) -> None:
    measured = "v4.1/closed/NVIDIA/H200-SXM-141GBx8_TRT_MaxQ/3d-unet-99.9/Offline"
    claims = catalog.claims("3d-unet")
    (claim,) = (claim for claim in claims if claim.id == measured)
    other = next(claim for claim in claims if claim.power is None)
    text = power_statement((claim, other))
    assert "with 1 of 2 results" in text
    assert "4,613.6194 Watts (NVIDIA, H200-SXM-141GBx8_TRT_MaxQ, Offline)" in text


def test_a_derived_metric_is_called_one(catalog: Catalog) -> None:
    text = citations(pick(catalog, "gpt-oss-120b", CRUSOE)).derived
    assert "derived from MLPerf® Inference results" in text
    assert "not official MLPerf® metrics" in text
    assert "per unit of money" in text


def test_the_mark_has_its_sign_wherever_it_is_a_name(catalog: Catalog) -> None:
    claims = [claim for name in ("gpt-oss-120b", "3d-unet") for claim in catalog.claims(name)]
    found = citations(claims)
    texts = [item.text for item in (*found.in_text, *found.footnotes)]
    texts += [found.derived, found.differences or "", found.power, module.UNVERIFIED_BESIDE_VERIFIED]
    assert len(texts) > 200
    for text in texts:
        own = text.replace(LEGEND, "")
        assert own.count("MLPerf") == own.count("MLPerf®")


def test_a_system_without_accelerators_or_with_an_unclear_count(catalog: Catalog) -> None:
    (claim,) = pick(catalog, "gpt-oss-120b", COREWEAVE_61)
    unclear = claim.model_copy(update={"accelerator_count": None})
    assert "(accelerator count unclear, available)" in citations((unclear,)).in_text[0].text
    processor = claim.model_copy(update={"accelerator_count": None, "accelerator": ""})
    assert "(no accelerator, available)" in citations((processor,)).in_text[0].text
    single = claim.model_copy(update={"accelerator_count": 1, "retrieved": None, "value": Decimal("12.50")})
    found = citations((single,))
    assert "a verified 12.5 Tokens/s" in found.in_text[0].text
    assert "(1 accelerator, available)" in found.in_text[0].text
    assert "summary.csv, no result id" in found.footnotes[0].text


def test_dates_are_written_out_whatever_the_locale() -> None:
    assert module.day_text(date(2026, 3, 1)) == "1 March 2026"
