"""Builders for the tests of the economics: profiles as a user writes them, and evidence with given rates.

Numbers are given as text, the way they stand in a profile: "3.30", or "3.30 EUR" for money.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypeVar

from rackrecord.catalog.claim import Caveat, CaveatCode
from rackrecord.data import Data
from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.options import Economics, Measured, rank_options
from rackrecord.profile.models import Profile
from rackrecord.selection.select import OptionEvidence, Selection

D = Decimal
Made = TypeVar("Made", bound=Data)
Tree = dict[str, Any]
Rates = str | tuple[str, str, str] | None
"""A planning figure per accelerator, or planning, lowest and highest, or no evidence."""


def numbers(value: Any) -> Any:
    """The tree with text that is a number as a decimal, as the reader of a profile has it."""
    if isinstance(value, Mapping):
        return {key: numbers(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return tuple(numbers(item) for item in value)
    if isinstance(value, str):
        try:
            return Decimal(value)
        except ArithmeticError:
            return value
    return value


def merged(base: Mapping[str, Any], change: Mapping[str, Any]) -> Tree:
    """`base` with the fields of `change` in place of its own, section by section."""
    result = dict(base)
    for key, value in change.items():
        own = result.get(key)
        if isinstance(value, Mapping) and isinstance(own, Mapping):
            result[key] = merged(own, value)
        else:
            result[key] = value
    return result


def option(id: str, *, price: Tree | None, kw: Any = "132", size: int = 72, **fields: Any) -> Tree:
    """An option; `size` accelerators in a rack of one system."""
    tree: Tree = {
        "id": id,
        "name": f"Rack {id}",
        "accelerator": "NVIDIA GB300",
        "accelerators_per_system": size,
        **fields,
    }
    if price is not None:
        tree["price"] = price
    if kw is not None:
        tree["power"] = {"kw": kw, "basis": "nameplate"}
    return tree


def rented(id: str, per_accelerator_hour: Any, *, rent: Tree | None = None, **fields: Any) -> Tree:
    """A rented option, 72 accelerators a rack."""
    terms = {"per_accelerator_hour": per_accelerator_hour, **(rent or {})}
    return option(id, price={"rent": terms}, **fields)


def bought(id: str, per_rack: Any, *, purchase: Tree | None = None, **fields: Any) -> Tree:
    """A bought option, 72 accelerators a rack."""
    return option(id, price={"purchase": {"per_rack": per_rack, **(purchase or {})}}, **fields)


# The purchase of the worked example: 8 % over 4 years, 10 % residual value, 5 % support a year.
TERMS: Tree = {"rate": "0.08", "years": 4, "residual": "0.10", "support_rate": "0.05"}


def tree(*options: Tree, **sections: Any) -> Tree:
    """The tree of a profile with these options; sections replace or extend the plain ones."""
    base: Tree = {
        "title": "Test",
        "owner": "Tests",
        "currency": "USD",
        "workload": {"benchmark": "gpt-oss-120b", "scenario": "Server"},
        "demand": {"output_tokens_per_second": "5000000"},
        "term": {"years": 4, "rate": "0.08"},
        "facility": {"electricity_per_kwh": "0.085", "pue": "1.25"},
        "options": options,
    }
    # One form of workload and of demand only: another one takes the place of the plain one.
    if "workloads" in sections:
        del base["workload"]
    if "demand" in sections:
        del base["demand"]
    return merged(base, sections)


def profile(*options: Tree, **sections: Any) -> Profile:
    """The profile of that tree."""
    return Profile.model_validate(numbers(tree(*options, **sections)))


def partly(kind: type[Made], **values: Any) -> Made:
    """Data of a kind with these fields; the others, which the economics do not read, are None."""
    return kind(**(dict.fromkeys(kind.__struct_fields__) | values))


def evidence(
    option_id: str, rates: Rates, caveats: tuple[CaveatCode, ...] = (), used: tuple[str, ...] = ()
) -> OptionEvidence:
    """Evidence with these figures per accelerator. What the economics do not read is left out.

    Without `used` each option stands on a result of its own.
    """
    if rates is None:
        planning = low = high = None
    else:
        planning, low, high = (D(rate) for rate in ((rates,) * 3 if isinstance(rates, str) else rates))
    return partly(
        OptionEvidence,
        option=option_id,
        used=used or (f"result of {option_id}",),
        planning=planning,
        minimum=low,
        maximum=high,
        spread=high / low - 1 if high is not None and low else None,
        spread_without_outliers=high / low - 1 if high is not None and low else None,
        caveats=tuple(Caveat(code=code, text=code.value) for code in caveats),
        why_none=None if rates is not None else "No result on this benchmark is for its accelerator",
    )


def selection(
    rates: Mapping[str, Rates],
    *,
    unit: str = "Tokens/s",
    mean: str | None = None,
    benchmark: str = "gpt-oss-120b",
    caveats: Mapping[str, tuple[CaveatCode, ...]] | None = None,
    used: tuple[str, ...] = (),
) -> Selection:
    """The evidence for one part of the workload, by option id; `used`: the results that all stand on."""
    return partly(
        Selection,
        benchmark=benchmark,
        benchmark_name=benchmark,
        scenario="Server",
        unit=unit,
        mean_output_tokens=D(mean) if mean is not None else None,
        options=tuple(evidence(id, rate, (caveats or {}).get(id, ()), used) for id, rate in rates.items()),
    )


# r of the worked example: the median of the verified results on 72 GB300, 1,121,600 tokens/s over 72.
R = "15577.7777777777777777777777778"


def rank(
    profile: Profile, *selections: Selection, measured: Mapping[str, Measured] | None = None
) -> Economics:
    """The ranking; without evidence given, every option has R."""
    found = selections or (selection({option.id: R for option in profile.options}),)
    return rank_options(profile, found, measured)


def only(profile: Profile, *selections: Selection) -> OptionFigures:
    """The figures of a profile's only option."""
    (figures,) = rank(profile, *selections).figures
    return figures


def close(found: Decimal | None, expected: Decimal | str, tolerance: str = "1e-18") -> bool:
    """Whether the two agree to within that share of the expected value."""
    assert found is not None
    wanted = D(expected)
    return abs(found - wanted) <= abs(wanted) * D(tolerance) + D("1e-24")
