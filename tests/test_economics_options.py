"""On what the options are ranked: verified results, own measurements, or a realized fraction from these."""

from __future__ import annotations

from typing import Any

import pytest

from economics_cases import D, R, Tree, close, option, profile, rank, rented, selection
from rackrecord.economics.options import Economics, Measured
from rackrecord.economics.replay import measured_options
from rackrecord.economics.strength import Strength
from rackrecord.measurements.measurement import LatencySummary, Measurement
from rackrecord.profile.models import Profile

OPTIONS = (rented("a", "3.00"), rented("b", "3.60"))
RATES = selection({"a": "10000", "b": "10000"})
MEASURED_BASIS: Tree = {"policy": {"basis": "measured"}}
# b reaches 9,000 of its 10,000 tokens/s in production, a only 6,000: then b is the cheaper one.
OWN = {"a": Measured(D(6000)), "b": Measured(D(9000))}


def ranked(*options: Tree, measured: dict[str, Measured] | None = None, **sections: Any) -> Economics:
    return rank(profile(*(options or OPTIONS), **sections), RATES, measured=measured)


def test_nothing_measured_says_nothing() -> None:
    assert ranked().basis_note is None


def test_measured_by_one_option_only_changes_nothing() -> None:
    # a at its production figure against b at its benchmark ceiling would be no comparison.
    found = ranked(measured={"a": Measured(D(6000))})
    assert found.figures == ranked().figures
    assert found.comparison == ranked().comparison
    assert found.basis_note == (
        "Ranked on verified results. Own measurements are shown beside them and not mixed in."
    )


def test_the_realized_fraction_of_every_option_from_own_measurements() -> None:
    found = ranked(measured=OWN)
    a, b = found.figures
    assert (a.realized_fraction, b.realized_fraction) == (D("0.6"), D("0.9"))
    assert a.inputs.realized_fraction_basis == "own measurements"
    # 3.00 / 0.6 against 3.60 / 0.9
    assert found.comparison.ranking == ("b", "a")
    assert a.basis == "verified"
    assert found.basis_note == (
        "Ranked on verified results. The realized fraction is from own measurements for Rack a, Rack b."
    )


def test_a_stated_fraction_stands_before_a_measured_one() -> None:
    found = ranked(measured=OWN, use={"realized_fraction": "0.8"})
    assert [figures.realized_fraction for figures in found.figures] == [D("0.8"), D("0.8")]
    options = (rented("a", "3.00", use={"realized_fraction": "0.8"}), OPTIONS[1])
    found = ranked(*options, measured={"b": Measured(D(9000))})
    assert [figures.realized_fraction for figures in found.figures] == [D("0.8"), D("0.9")]


def test_ranked_on_own_measurements() -> None:
    use = {"realized_fraction": "0.5", "utilization": "0.5"}
    wide = selection({"a": ("10000", "8000", "12000"), "b": "10000"})
    found = rank(profile(*OPTIONS, **MEASURED_BASIS, use=use), wide, measured=OWN)
    a, b = found.figures
    assert (a.basis, a.rate_per_accelerator, a.realized_fraction) == ("measured", 6000, 1)
    # 3.60 · 72 · 10⁶ / (3600 · 9000 · 72 · 0.5)
    assert close(b.cost_per_million_tokens, D("3.60") * 10**6 / (3600 * 9000 * D("0.5")))
    assert found.comparison.ranking == ("b", "a")
    # One measurement each is no range that could be beaten, and nobody has reviewed it. The spread of the
    # verified results says nothing about it.
    assert found.comparison.strength is Strength.LIKELY
    assert found.comparison.materiality == D("0.05")
    assert not a.ceiling
    assert found.basis_note == (
        "Ranked on own measurements, which MLCommons has not reviewed; they are not MLPerf® results."
    )


def test_on_own_measurements_utilization_is_still_asked_for() -> None:
    assert ranked(measured=OWN, **MEASURED_BASIS).figures[0].ceiling


def test_the_measured_basis_needs_every_option() -> None:
    found = ranked(measured={"a": Measured(D(6000))}, **MEASURED_BASIS)
    assert {figures.basis for figures in found.figures} == {"verified"}
    assert found.basis_note == (
        "Ranked on verified results: the measured basis needs a measurement of every option; "
        "missing: Rack b. Own measurements are shown beside them and not mixed in."
    )
    assert ranked(**MEASURED_BASIS).basis_note == (
        "Ranked on verified results: the measured basis needs a measurement of every option; "
        "missing: Rack a, Rack b."
    )


def test_an_option_that_cannot_be_ranked_anyway_needs_no_measurement() -> None:
    options = (*OPTIONS, option("c", price=None))
    rates = selection({"a": "10000", "b": "10000", "c": "10000"})
    found = rank(profile(*options, **MEASURED_BASIS), rates, measured=OWN)
    assert {figures.basis for figures in found.figures} == {"measured"}
    assert [item.option for item in found.comparison.not_ranked] == ["c"]


def test_a_measurement_speaks_for_one_part_only() -> None:
    parts = [
        {"benchmark": "gpt-oss-120b", "scenario": "Server", "share": "0.5"},
        {"benchmark": "deepseek-r1", "scenario": "Server", "share": "0.5"},
    ]
    found = rank(profile(*OPTIONS, workloads=parts, **MEASURED_BASIS), RATES, RATES, measured=OWN)
    assert {figures.basis for figures in found.figures} == {"verified"}
    assert {figures.realized_fraction for figures in found.figures} == {1}
    assert found.basis_note is not None
    assert "one part of the workload only" in found.basis_note


def test_the_rounding_of_a_measured_fraction_buys_no_rack() -> None:
    # 3,037 of 15,577.78 is a fraction without end; times 15,577.78 again it is a last digit off 3,037.
    demand = {"output_tokens_per_second": str(3037 * 72 * 7)}
    own = {"a": Measured(D(3037))}
    (figures,) = rank(profile(OPTIONS[0], demand=demand), selection({"a": R}), measured=own).figures
    assert figures.racks == 7


# --- benchmarks that count requests

QUERIES = selection({"a": "5"}, unit="Queries/s", mean="43", benchmark="qwen3-vl-235b-a22b")
QWEN: Tree = {"benchmark": "qwen3-vl-235b-a22b", "scenario": "Interactive", "output_tokens_per_request": "60"}


def agent(**sections: Any) -> Profile:
    return profile(rented("a", "3.00"), workload=QWEN, demand={"requests_per_second": "1000"}, **sections)


def test_the_fraction_is_in_the_benchmarks_own_unit() -> None:
    # 4 of 5 requests/s is 0.8, though 4 · 60 = 240 tokens/s is more than the benchmark's 5 · 43 = 215.
    own = {"a": Measured(tokens=D(240), requests=D(4))}
    (figures,) = rank(agent(), QUERIES, measured=own).figures
    assert figures.realized_fraction == D("0.8")
    assert figures.parts[0].capacity == 4 * 72
    # Without requests in the load test there is nothing to compare.
    (figures,) = rank(agent(), QUERIES, measured={"a": Measured(tokens=D(240))}).figures
    assert figures.realized_fraction == 1


def test_measured_tokens_serve_requests_of_the_workloads_length() -> None:
    # 240 tokens/s an accelerator are 4 requests of 60 tokens: 288 a rack, 1000 / 288 = 3.47.
    own = {"a": Measured(tokens=D(240))}
    (figures,) = rank(agent(**MEASURED_BASIS), QUERIES, measured=own).figures
    assert (figures.tokens_per_second, figures.parts[0].capacity, figures.racks) == (240 * 72, 288, 4)


# --- load tests


def run(tokens: float, p99_tpot: float | None, **fields: Any) -> Measurement:
    """A run of 8 accelerators with that rate and p99 of the time per output token."""
    summary = None if p99_tpot is None else LatencySummary(mean_ms=1.0, percentiles_ms=((99.0, p99_tpot),))
    empty = dict.fromkeys(name for name in Measurement.__struct_fields__ if name != "checks")
    known = {
        "tool": "test",
        "file": "run.json",
        "sha256": "0",
        "label": str(tokens),
        "output_tokens_per_second": tokens,
        "tpot": summary,
        "accelerators": 8,
        "checks": (),
    }
    return Measurement.model_validate(empty | known | fields)


SLO: Tree = {"workload": {"slo": {"tpot_ms": "80"}}}


def test_the_best_point_that_meets_the_slo_gives_the_fraction() -> None:
    points = (run(40_000.0, 50.0), run(64_000.0, 79.0), run(80_000.0, 81.0), run(90_000.0, None))
    found = measured_options(profile(*OPTIONS, **SLO), (RATES,), {"a": points})
    (measured,) = found.options
    # 64,000 / 8 = 8,000 of 10,000
    assert (measured.option, measured.chosen, measured.realized_fraction) == ("a", 1, D("0.8"))
    assert measured.why_none is None
    assert [point.meets for point in measured.points] == [True, True, False, False]
    assert found.rates == {"a": Measured(tokens=D(8000), requests=None)}


@pytest.mark.parametrize(
    ("points", "evidence", "why"),
    [
        ((run(80_000.0, 81.0),), RATES, "no measured point is known to meet the SLO"),
        (
            (run(64_000.0, 79.0, accelerators=None),),
            RATES,
            "the number of accelerators measured is not known; state it beside the files",
        ),
        (
            (run(64_000.0, 79.0),),
            selection({"a": None, "b": "10000"}),
            "there is no verified figure to compare it with",
        ),
        (
            (run(64_000.0, 79.0),),
            selection({"a": "5", "b": "5"}, unit="Queries/s", mean="43"),
            "the load test does not count requests, and the verified figure is in Queries/s",
        ),
    ],
)
def test_why_there_is_no_fraction(points: Any, evidence: Any, why: str) -> None:
    (measured,) = measured_options(profile(*OPTIONS, **SLO), (evidence,), {"a": points}).options
    assert (measured.realized_fraction, measured.why_none) == (None, why)


def test_requests_of_a_load_test_are_counted_per_accelerator() -> None:
    found = measured_options(agent(), (QUERIES,), {"a": (run(1920.0, 50.0, requests_per_second=32.0),)})
    assert found.rates == {"a": Measured(tokens=D(240), requests=D(4))}
    assert found.options[0].realized_fraction == D("0.8")
