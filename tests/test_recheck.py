"""Re-checks: a record on v5.1 and v6.0 against v6.1, withdrawn evidence, a preview that came back."""

from __future__ import annotations

import json
import shutil
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from catalog_rows import V61, csv_file
from deciding import profile_of
from rackrecord.catalog.claim import Claim
from rackrecord.catalog.layers import layer_files, write_layer
from rackrecord.catalog.manifest import Source
from rackrecord.catalog.store import BUNDLED, Catalog, bundled_catalog
from rackrecord.pipeline import decide
from rackrecord.record import DecisionRecord
from rackrecord.register.changes import Fate, Recheck, Verdict
from rackrecord.register.recheck import recheck
from rackrecord.register.reports import recheck_line, recheck_markdown
from rackrecord.selection.reasons import Reason
from registers import GB200, GB300, RUBIN, content_of, done, make, profile_text, run, seal, tree

ROOT = Path(__file__).parents[1]
TODAY = date(2026, 11, 30)
ON_72 = "GB300-NVL72_GB300-288GB_aarch64x72_TRT/deepseek-r1/Server"


def record_of(text: str, catalog: Catalog, as_of: date = date(2026, 6, 1)) -> DecisionRecord:
    return decide(profile_of(text), catalog, as_of, number=1)


def report_of(text: str, before: Catalog, now: Catalog, as_of: date = TODAY) -> Recheck:
    return recheck(record_of(text, before), None, now, as_of)


def catalog_of(folder: Path, *claims: Claim) -> Catalog:
    """A catalog of these claims alone."""
    batches = []
    for name in sorted({claim.round for claim in claims}):
        mine = [claim for claim in claims if claim.round == name]
        source = Source(
            round=name,
            published=mine[0].published,
            source="made up",
            note="",
            retrieved=TODAY,
            sha256="0" * 64,
            rows=len(mine),
        )
        batches.append((source, mine))
    write_layer(layer_files(batches), folder)
    return Catalog.open(folder)


def before_v61() -> Catalog:
    return bundled_catalog().restricted(("v5.1", "v6.0"))


# The next round is out


def test_figures_before_and_after_v61_and_the_results_by_name() -> None:
    """72 accelerators, deepseek-r1 Server, closed and available, from the official summaries.

    v6.0: NVIDIA 400,437 and Nebius 575,580; v6.1: Azure 589,391, NVIDIA 596,944, Nebius 603,023, Oracle
    586,852 tokens/s. The medians of two and of four, over 72.
    """
    report = report_of(profile_text(), before_v61(), bundled_catalog())
    (option,) = report.options
    (part,) = option.evidence
    assert part.before.planning == pytest.approx((Decimal(400437) + 575580) / 2 / 72, rel=Decimal("1e-12"))
    assert part.now.planning == pytest.approx((Decimal(589391) + 596944) / 2 / 72, rel=Decimal("1e-12"))
    assert f"{part.before.planning:.2f} {part.now.planning:.2f}" == "6777.90 8238.44"
    assert part.before.submitters == ("NVIDIA", "Nebius")
    assert part.now.submitters == ("Azure", "NVIDIA", "Nebius", "Oracle")
    assert (part.before.round, part.now.round) == ("v6.0", "v6.1")
    assert [(item.result.id, item.fate, item.replaced_by) for item in part.results] == [
        (f"v6.0/closed/NVIDIA/{ON_72}", Fate.REPLACED, f"v6.1/closed/NVIDIA/{ON_72}"),
        (f"v6.0/closed/Nebius/{ON_72}", Fate.REPLACED, f"v6.1/closed/Nebius/{ON_72}"),
        ("v6.1/closed/Azure/Azure-GB300-NVL72_288GBx72/deepseek-r1/Server", Fate.NEWLY_USED, None),
        (f"v6.1/closed/NVIDIA/{ON_72}", Fate.NEWLY_USED, None),
        (f"v6.1/closed/Nebius/{ON_72}", Fate.NEWLY_USED, None),
        (f"v6.1/closed/Oracle/{ON_72}", Fate.NEWLY_USED, None),
    ]
    assert part.results[0].reasons == (Reason.SUPERSEDED_ROUND,)
    assert (option.before.rank, option.now.rank) == (1, 1)
    # Cost goes with 1 / throughput: 976,017 over 1,186,335 tokens/s, less one.
    assert option.cost_change == pytest.approx(Decimal(976017) / 1186335 - 1, rel=Decimal("1e-9"))
    assert (option.before.racks, option.now.racks) == (12, 10)
    assert report.verdict is Verdict.FIGURES_CHANGED
    assert report.stands == ("The recommendation stands: GB300 NVL72 rack is first of 1 ranked, as before.")


def test_the_command_says_it_and_writes_it_beside_the_record(tmp_path: Path) -> None:
    folder = make(tmp_path / "records")
    before = tree(folder)
    said = done("recheck", "1", "--records", folder.parent, "--as-of", "2026-11-30")
    assert said.splitlines() == [
        "0001 figures changed: The recommendation stands: GB300 NVL72 rack is first of 1 ranked, as before.",
        "  GB300 NVL72 rack, deepseek-r1 Server on 72: 6,777.90 Tokens/s per accelerator (v6.0, 2 results, "
        "2 submitters: NVIDIA, Nebius) to 8,238.44 Tokens/s per accelerator (v6.1, 4 results, 4 submitters: "
        "Azure, NVIDIA, Nebius, Oracle), +21.5 %",
        "1 record re-checked, 1 with differences.",
    ]
    documented = (ROOT / "docs" / "register.md").read_text(encoding="utf-8")
    assert "\n".join(said.splitlines()[:2]) in documented
    after = tree(folder)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {"reviews/2026-11-30.json", "reviews/2026-11-30.md"}
    markdown = after["reviews/2026-11-30.md"].decode()
    assert markdown.startswith("# Re-check of record 0001 on 2026-11-30: figures changed\n")
    assert "**The recommendation stands: GB300 NVL72 rack is first of 1 ranked, as before.**" in markdown
    assert "| GB300 NVL72 rack | 1 | 0.3220 → 0.2649 | −17.7 % | 12 → 10 | 25.0 M → 20.8 M |" in markdown
    escaped = f"v6.1/closed/Oracle/{ON_72}".replace("_", "\\_")
    assert f"| {escaped} | Oracle |" in markdown
    assert "no longer used: superseded-round; replaced by the v6.1 result of Nebius" in markdown
    assert "new: v4.1, v6.1" in markdown
    content = json.loads(after["reviews/2026-11-30.json"])
    assert content["record_sha256"] == content_of(folder)["sha256"]
    assert (content["verdict"], content["as_of"], content["rounds"][-1]) == (
        "figures changed",
        "2026-11-30",
        "v6.1",
    )


def test_recommendation_that_changes_is_a_finding(tmp_path: Path) -> None:
    """At 1.30 a GB200 hour: v6.0 medians 6,777.90 and 3,422.83 give 3.30/6,777.90 over 1.30/3,422.83 = 1.282;
    in v6.1, 8,238.44 and 5,664.71 give 1.745. So GB200 is ahead in both, within v6.0's spread of 114 %."""
    cheap = {**GB200, "price": "1.30"}
    folder = make(tmp_path / "records", profile_text(GB300, cheap))
    result = run("recheck", folder, "--as-of", "2026-11-30")
    assert result.exit_code == 1
    assert (
        "0001 recommendation changes: The recommendation changes. It was: no clear winner, GB200 NVL72"
        in (result.output)
    )
    report = report_of(profile_text(GB300, cheap), before_v61(), bundled_catalog())
    assert report.verdict is Verdict.RECOMMENDATION_CHANGES
    assert [(option.before.rank, option.now.rank) for option in report.options] == [(2, 2), (1, 1)]


def test_leader_that_changes() -> None:
    """GB200 at x an hour draws level where x/3.30 = its figure over GB300's: 0.505 in v6.0, 0.688 in v6.1. At
    0.6 (1.98) GB300 leads before and GB200 after; with a materiality of 5 % both are recommended."""
    text = profile_text(GB300, {**GB200, "price": "1.98"}) + "policy: {materiality: 0.05}\n"
    report = report_of(text, before_v61(), bundled_catalog())
    assert report.verdict is Verdict.RECOMMENDATION_CHANGES
    assert report.stands.startswith("The recommendation changes. It was: GB300 NVL72 rack. It would be: ")
    assert "GB200 NVL72 rack" in report.stands.partition("It would be:")[2]
    assert [(option.before.rank, option.now.rank) for option in report.options] == [(1, 2), (2, 1)]
    assert "| GB300 NVL72 rack | 1 → 2 |" in recheck_markdown(report)


def test_same_catalog_holds() -> None:
    report = report_of(profile_text(), bundled_catalog(), bundled_catalog())
    assert report.verdict is Verdict.HOLDS
    assert report.exclusions == ()
    assert report.newly_possible == report.no_longer_possible == ()
    assert "Which results replaced which" not in recheck_markdown(report)


def test_only_the_date_differs() -> None:
    """A price that ended since is a caveat, not another figure."""
    report = report_of(profile_text(), before_v61(), before_v61())
    assert report.verdict is Verdict.HOLDS
    assert report.caveats_new == ("GB300 NVL72 rack: its price held until 2026-08-31; ask for a new quote.",)


def test_round_without_results_on_the_benchmark_holds(tmp_path: Path) -> None:
    claims = [claim for claim in bundled_catalog().claims("deepseek-r1") if claim.round == "v6.0"]
    other = next(iter(bundled_catalog().claims("gpt-oss-120b"))).model_copy(update={"round": "v9.0"})
    now = catalog_of(tmp_path / "now", *claims, other)
    report = report_of(profile_text(), bundled_catalog().restricted(("v6.0",)), now)
    assert report.verdict is Verdict.HOLDS
    assert report.rounds == ("v6.0", "v9.0")


# Withdrawn evidence


def test_only_evidence_disappears(tmp_path: Path) -> None:
    claims = bundled_catalog().restricted(("v6.0",)).claims("deepseek-r1")
    kept = [claim for claim in claims if "GB300" not in claim.accelerator_as_submitted]
    assert 0 < len(kept) < len(claims)
    report = report_of(
        profile_text(), bundled_catalog().restricted(("v6.0",)), catalog_of(tmp_path / "now", *kept)
    )
    assert report.verdict is Verdict.EVIDENCE_WITHDRAWN
    (part,) = report.options[0].evidence
    assert {item.fate for item in part.results} == {Fate.WITHDRAWN}
    assert part.now.planning is None
    assert [item.name for item in report.no_longer_possible] == ["GB300 NVL72 rack"]
    gone = [change for change in report.exclusions if change.now is None]
    assert {item.result.id for item in part.results} <= {change.claim for change in gone}
    text = recheck_markdown(report)
    assert "gone from the catalog" in text
    assert (
        "The recommendation changes. It was: GB300 NVL72 rack. It would be: No option can be recommended"
        in text
    )
    assert "evidence withdrawn" in recheck_line(report)


def test_result_marked_invalid_is_withdrawn(tmp_path: Path) -> None:
    claims = bundled_catalog().restricted(("v6.0",)).claims("deepseek-r1")
    marked = [
        claim.model_copy(update={"valid": False}) if claim.accelerator_count == 72 else claim
        for claim in claims
    ]
    report = report_of(
        profile_text() + "policy: {scale: exact}\n",
        bundled_catalog().restricted(("v6.0",)),
        catalog_of(tmp_path / "now", *marked),
    )
    assert report.verdict is Verdict.EVIDENCE_WITHDRAWN
    assert {Reason.INVALID in item.reasons for item in report.options[0].evidence[0].results} == {True}


def test_one_of_two_results_gone_changes_the_figure(tmp_path: Path) -> None:
    """Without Nebius's result, NVIDIA's alone counts: 400,437 / 72."""
    claims = bundled_catalog().restricted(("v6.0",)).claims("deepseek-r1")
    kept = [claim for claim in claims if claim.submitter != "Nebius"]
    report = report_of(
        profile_text(), bundled_catalog().restricted(("v6.0",)), catalog_of(tmp_path / "now", *kept)
    )
    assert report.verdict is Verdict.FIGURES_CHANGED
    (part,) = report.options[0].evidence
    assert part.now.planning == Decimal("5561.625")
    assert {item.result.submitter: item.fate for item in part.results} == {
        "NVIDIA": Fate.USED_BEFORE_AND_NOW,
        "Nebius": Fate.WITHDRAWN,
    }


def test_corrected_result_is_named(tmp_path: Path) -> None:
    claims = bundled_catalog().restricted(("v6.0",)).claims("deepseek-r1")
    wanted = f"v6.0/closed/Nebius/{ON_72}"
    now = [
        claim.model_copy(update={"value": Decimal(576000)}) if claim.id == wanted else claim
        for claim in claims
    ]
    report = report_of(
        profile_text(), bundled_catalog().restricted(("v6.0",)), catalog_of(tmp_path / "now", *now)
    )
    assert report.verdict is Verdict.FIGURES_CHANGED
    (part,) = report.options[0].evidence
    altered = {item.result.id: item.value_before for item in part.results if item.fate is Fate.ALTERED}
    assert altered == {wanted: Decimal(575580)}
    assert "other figure: 575,580 in the record" in recheck_markdown(report)


# Newly possible


def v70(accelerator: str, result: int, submitter: str = "NVIDIA") -> dict[str, Any]:
    """A made-up row of a next round, in the layout of v6.1's summary.csv."""
    return {
        **V61,
        "Organization": submitter,
        "SystemName": f"{accelerator} rack",
        "Platform": f"{accelerator.replace(' ', '-')}x72",
        "Scenario": "Server",
        "Result": str(result),
        "accelerator_model_name": accelerator,
        "Location": "./closed/made/up",
        "version": "v7.0",
    }


def test_preview_that_became_available_in_a_made_up_round(tmp_path: Path) -> None:
    records, catalog = tmp_path / "records", tmp_path / "catalog"
    catalog.mkdir()
    folder = make(records, profile_text(GB300, RUBIN), "--as-of", "2026-11-30", "--catalog", catalog)
    watched = {item["accelerator"] for item in content_of(folder)["watch_list"]}
    assert watched == {"nvidia-vera-rubin"}
    assert run("review", "--records", records, "--as-of", "2026-12-01", "--catalog", catalog).exit_code == 1
    summary = tmp_path / "summary.csv"
    summary.write_bytes(csv_file(v70("NVIDIA GB300", 648000), v70("NVIDIA Vera Rubin", 1440000)))
    done("claims", "import", summary, "--published", "2027-04-07", "--catalog", catalog)
    result = run("recheck", folder, "--as-of", "2027-04-10", "--catalog", catalog)
    text = (folder / "reviews" / "2027-04-10.md").read_text()
    # 1,440,000 × 0.7 tokens/s a rack; 5.10 × 72 an hour over 3600 × 1,008,000 × 0.6: 0.1687 a million.
    assert "## Newly possible" in text
    line = next(line for line in text.splitlines() if line.startswith("- Vera Rubin rack"))
    assert "(NVIDIA Vera Rubin: preview in v6.1, available in v7.0)" in line
    assert "0.1687 USD per million output tokens, 1.01 M output tokens/s a rack" in line
    assert "rank 1" in line
    assert "In the record: No verified, comparable result on deepseek-r1 Server" in line
    # GB300: 648,000 × 0.7; 3.30 × 72 over 3600 × 453,600 × 0.6: 0.2425 a million; so the new rack wins.
    assert "0.2649 → 0.2425" in text
    assert result.exit_code == 1
    assert "0001 recommendation changes" in result.output
    due = json.loads(
        run(
            "review", "--records", records, "--as-of", "2027-04-10", "--format", "json", "--catalog", catalog
        ).stdout
    )
    kinds = {item["kind"]: item["text"] for item in due["items"]}
    assert kinds["preview-available"] == "NVIDIA Vera Rubin is now available: results on deepseek-r1 in v7.0"
    assert kinds["next-round"].startswith(
        "v7.0 published: 2 results on deepseek-r1, not comparable with v6.1"
    )
    assert kinds["re-check"] == "the re-check of 2027-04-10 found: recommendation changes"


def test_option_that_passes_a_limit_now() -> None:
    """12 racks × 132 kW are 1,584 kW, 10 are 1,320 kW."""
    text = profile_text() + "limits: {power_kw: 1400}\n"
    report = report_of(text, before_v61(), bundled_catalog())
    (possible,) = report.newly_possible
    assert (possible.name, possible.returned) == ("GB300 NVL72 rack", ())
    assert "power" in possible.why_not
    assert report.verdict is Verdict.RECOMMENDATION_CHANGES
    assert report.stands.startswith("The recommendation changes. It was: none. It would be: 10 × GB300")


# Exclusions, claims, watch list


def test_exclusions_that_changed() -> None:
    report = report_of(profile_text(), before_v61(), bundled_catalog())
    changes = {change.claim: (change.before, change.now) for change in report.exclusions}
    assert changes[f"v6.0/closed/Nebius/{ON_72}"] == ((), (Reason.SUPERSEDED_ROUND,))
    assert changes[f"v6.1/closed/Nebius/{ON_72}"] == (None, ())
    known = {claim.id for claim in bundled_catalog().claims("deepseek-r1") if claim.round == "v6.1"}
    assert {claim for claim, (before, _) in changes.items() if before is None} >= known
    text = recheck_markdown(report)
    assert "| used | superseded-round | 2 |" in text
    assert "| not in the catalog | used | 4 |" in text


def test_watch_list_and_vendor_claims_that_read_otherwise() -> None:
    text = profile_text() + (
        "vendor_claims:\n"
        "  - {id: more, who: A vendor, where: a page, date: 2026-05-01, statement: twice GB200,\n"
        "     stage: published, subject: NVIDIA GB300,\n"
        "     baseline: NVIDIA GB200, benchmark: deepseek-r1, multiplier: 2}\n"
    )
    report = report_of(text, before_v61(), bundled_catalog())
    (claim,) = report.vendor_claims
    assert claim.subject == "more"
    assert claim.before != claim.now
    (watched,) = report.watch_list
    assert watched.before is None
    assert watched.now is not None
    assert watched.now.startswith("NVIDIA Vera Rubin: preview in v6.1 on deepseek-r1")


# Cannot be re-run


def test_record_that_cannot_be_read_is_reported_and_the_others_are_done(tmp_path: Path) -> None:
    records = tmp_path / "records"
    broken, changed, newer, good = (make(records) for _ in range(4))
    (broken / "record.json").write_text("{")
    (changed / "record.json").write_bytes(
        (changed / "record.json").read_bytes().replace(b'"racks":12', b'"racks":11', 1)
    )
    (newer / "record.json").write_bytes(seal({**content_of(newer), "schema_version": 99}))
    result = run("recheck", "--records", records, "--as-of", "2026-11-30")
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "0001 cannot be re-run: record.json is not the JSON of a record"
    assert lines[1].startswith("0002 cannot be re-run: record.json does not match its digest")
    assert lines[2].startswith("0003 cannot be re-run: record.json has record schema 99; this version reads")
    assert lines[3].startswith("0004 figures changed")
    for folder in (broken, changed, newer):
        text = (folder / "reviews" / "2026-11-30.md").read_text()
        assert text.startswith(f"# Re-check of record {folder.name[:4]} on 2026-11-30: cannot be re-run")
        content = json.loads((folder / "reviews" / "2026-11-30.json").read_bytes())
        assert (content["verdict"], content["options"]) == ("cannot be re-run", [])
    assert (good / "reviews" / "2026-11-30.md").exists()


# Which records, in which form


def test_closed_records_only_by_name(tmp_path: Path) -> None:
    records = tmp_path / "records"
    for _ in range(3):
        make(records)
    done("reject", "2", "--records", records, "--by", "Ada", "--on", "2026-06-10")
    done("approve", "3", "--records", records, "--by", "Ada", "--on", "2026-06-10")
    done("expire", "3", "--records", records, "--by", "Ada", "--on", "2026-06-10")
    assert "1 record re-checked" in done("recheck", "--records", records, "--as-of", "2026-11-30")
    assert "2 records re-checked" in done("recheck", "2", "3", "--records", records, "--as-of", "2026-11-30")


def test_many_records_on_every_core_give_what_one_gives(tmp_path: Path) -> None:
    records = tmp_path / "records"
    first = make(records)
    for number in range(2, 12):
        folder = records / f"{number:04d}-copy"
        shutil.copytree(first, folder)
        (folder / "record.json").write_bytes(seal({**content_of(first), "number": number}))
    alone = json.loads(
        done("recheck", "5", "--records", records, "--as-of", "2026-11-30", "--format", "json")
    )
    for path in records.glob("*/reviews"):
        shutil.rmtree(path)
    every = json.loads(done("recheck", "--records", records, "--as-of", "2026-11-30", "--format", "json"))
    assert [report["number"] for report in every] == list(range(1, 12))
    assert every[4] == alone[0]
    assert len(list(records.glob("*/reviews/2026-11-30.md"))) == 11


def test_nothing_written_on_request_and_markdown_printed(tmp_path: Path) -> None:
    folder = make(tmp_path / "records")
    said = done("recheck", folder, "--no-write", "--format", "md", "--as-of", "2026-11-30")
    assert said.startswith("# Re-check of record 0001 on 2026-11-30: figures changed")
    assert not (folder / "reviews").exists()


def test_own_measurements_are_used_from_the_record(tmp_path: Path) -> None:
    """The files of the measurements are gone; the record holds what they said."""
    fixture = Path(__file__).parent / "fixtures" / "measurements" / "vllm.json"
    shutil.copy(fixture, tmp_path / "replay.json")
    text = profile_text().rstrip() + "\n    measurements: {files: [replay.json], accelerators: 8}\n"
    folder = make(tmp_path / "records", text)
    assert content_of(folder)["measurements"]
    (tmp_path / "replay.json").unlink()
    (tmp_path / "profile.yaml").unlink()
    assert "0001 figures changed" in done("recheck", folder, "--as-of", "2026-11-30")


def test_hostile_title_stays_text(tmp_path: Path) -> None:
    title = "'<script>alert(1)</script> | [x](javascript:y) {{ 7 * 7 }}'"
    folder = make(tmp_path / "records", profile_text(title=title))
    done("recheck", folder, "--as-of", "2026-11-30")
    text = (folder / "reviews" / "2026-11-30.md").read_text()
    assert "<script>" not in text
    assert "\\<script\\>" in text
    assert "{{ 7" not in text
    assert "49" not in text.splitlines()[2]


def test_register_without_records(tmp_path: Path) -> None:
    (tmp_path / "records").mkdir()
    assert done("recheck", "--records", tmp_path / "records") == "0 records re-checked, 0 with differences.\n"
    assert run("recheck", "--records", tmp_path / "nothing").exit_code == 2


def test_bundled_catalog_is_what_the_tests_think() -> None:
    assert BUNDLED.is_dir()
    assert bundled_catalog().round_names() == ("v4.1", "v5.1", "v6.0", "v6.1")
