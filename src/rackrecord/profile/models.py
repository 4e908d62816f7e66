"""What the user writes: the facts of one capacity decision. Every field's meaning and unit is its description."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator
from pydantic_core import PydanticCustomError

from rackrecord.model import StrictModel
from rackrecord.profile.fields import (
    Count,
    CountOrNone,
    Currency,
    Day,
    Flag,
    Fraction,
    Growth,
    Identifier,
    Margin,
    MoneyAmount,
    NonNegative,
    Percentile,
    Positive,
    PositiveFraction,
    RangedFraction,
    RangedMoney,
    RangedNonNegative,
    RangedPositive,
    RangedPue,
    Rate,
    Text,
    Years,
)

ScenarioName = Literal["Offline", "Server", "Interactive", "SingleStream", "MultiStream"]
Objective = Literal[
    "cost-per-million-tokens",
    "tokens-per-money",
    "tokens-per-joule",
    "tokens-per-second-per-rack",
    "whole-term-cost",
]


def _one_of(model: StrictModel, names: tuple[str, ...], *, required: bool) -> None:
    given = [name for name in names if getattr(model, name) is not None]
    if len(given) > 1 or (required and not given):
        found = f"found {' and '.join(given)}" if given else "found none"
        raise PydanticCustomError("one_of", "{text}", {"text": f"{found}; expected one of {', '.join(names)}"})


class Slo(StrictModel):
    """The latency objectives of the workload. A metric that is absent is not an objective."""

    ttft_ms: Positive | None = Field(default=None, description="Time to first token, milliseconds.", examples=[3000])
    tpot_ms: Positive | None = Field(default=None, description="Time per output token, milliseconds.", examples=[80])
    e2e_ms: Positive | None = Field(default=None, description="Whole request, milliseconds.", examples=[12000])
    percentile: Percentile = Field(default=99, description="The percentile the limits hold at.", examples=[99])


class Workload(StrictModel):
    """One benchmark that stands for (a part of) the production workload, and what is asked of it."""

    benchmark: Text = Field(description="The MLPerf benchmark nearest to the workload.", examples=["gpt-oss-120b"])
    scenario: ScenarioName = Field(description="The MLPerf scenario that matches how requests arrive.")
    suite: Literal["datacenter", "edge"] = Field(default="datacenter", description="The MLPerf suite.")
    accuracy: NonNegative | None = Field(
        default=None, description="Accuracy target in percent of the reference, where the benchmark has several."
    )
    slo: Slo | None = Field(default=None, description="Latency objectives; without them any latency is accepted.")
    output_tokens_per_request: Positive | None = Field(
        default=None, description="Mean output tokens of a production request.", examples=[1200]
    )
    input_tokens_per_request: NonNegative | None = Field(
        default=None, description="Mean input tokens of a production request.", examples=[3000]
    )
    model: Text | None = Field(default=None, description="The model served in production.")
    share: PositiveFraction | None = Field(
        default=None, description="This part's share of the output tokens, where the workload has several parts."
    )


class Users(StrictModel):
    """Demand as people: concurrent users and the token rate each of them is given."""

    concurrent: Positive = Field(description="Users generating at the same moment, at peak.")
    tokens_per_second_each: Positive = Field(description="Output tokens per second that each user is given.")


class Demand(StrictModel):
    """Peak demand in one of three forms, and how it is provided for."""

    output_tokens_per_second: RangedPositive | None = Field(
        default=None, description="Peak output tokens per second.", examples=[5_000_000]
    )
    requests_per_second: RangedPositive | None = Field(
        default=None, description="Peak requests per second; times the workload's output tokens per request."
    )
    users: Users | None = Field(default=None, description="Concurrent users times tokens per second each.")
    headroom: Margin = Field(default=0, description="Capacity kept free above the peak, as a fraction of it.")
    spares: CountOrNone = Field(default=0, description="Racks held in reserve.")
    yearly_growth: Growth = Field(default=0, description="Growth of the peak each year, as a fraction.")

    @model_validator(mode="after")
    def _one_form(self) -> Demand:
        _one_of(self, ("output_tokens_per_second", "requests_per_second", "users"), required=True)
        return self


class Use(StrictModel):
    """How much of the benchmark's throughput production gets and uses. Absent: 1, a benchmark ceiling."""

    realized_fraction: RangedFraction | None = Field(
        default=None, description="d: production throughput over benchmark throughput, 0 to 1.", examples=[0.7]
    )
    utilization: RangedFraction | None = Field(
        default=None, description="u: share of that capacity used over the term, 0 to 1.", examples=[0.6]
    )


class Term(StrictModel):
    """The period that costs are compared over."""

    years: Years = Field(default=4, description="Years of the comparison.")
    rate: Rate = Field(default=0, description="Yearly rate at which later costs are discounted.")


class Facility(StrictModel):
    """The site that the racks are powered in."""

    electricity_per_kwh: RangedMoney | None = Field(default=None, description="Price of electricity per kWh.")
    pue: RangedPue = Field(default=1, description="Power usage effectiveness: site power over rack power.")
    colocation_per_kw_month: RangedMoney | None = Field(
        default=None, description="Colocation price per kW of rack power and month."
    )


class Rent(StrictModel):
    """A rental price, in one of three forms."""

    per_accelerator_hour: RangedMoney | None = Field(default=None, description="Price per accelerator and hour.")
    per_rack_hour: RangedMoney | None = Field(default=None, description="Price per rack and hour.")
    per_rack_month: RangedMoney | None = Field(default=None, description="Price per rack and month (730 hours).")
    commitment: Literal["on-demand", "one-year", "three-years"] = Field(
        default="on-demand", description="The term committed to."
    )
    discount: Fraction = Field(default=0, description="Discount on the price above, as a fraction.")
    power_included: Flag = Field(default=True, description="Whether the price covers electricity and colocation.")

    @model_validator(mode="after")
    def _one_form(self) -> Rent:
        _one_of(self, ("per_accelerator_hour", "per_rack_hour", "per_rack_month"), required=True)
        return self


class Purchase(StrictModel):
    """A purchase price and what owning costs."""

    per_rack: RangedMoney = Field(description="Price of one rack, before discount.")
    discount: Fraction = Field(default=0, description="Discount on the price above, as a fraction.")
    installation_per_rack: MoneyAmount | None = Field(default=None, description="Delivery and installation, once.")
    rate: Rate | None = Field(default=None, description="Yearly cost of capital; default: the term's rate.")
    years: Years | None = Field(default=None, description="Years of use; default: the term's years.")
    residual: Fraction = Field(default=0, description="Residual value at the end, as a fraction of the paid price.")
    support_rate: Fraction = Field(default=0, description="Yearly support, as a fraction of the paid price.")
    support_per_year: MoneyAmount | None = Field(default=None, description="Yearly support per rack, as an amount.")
    other_per_year: MoneyAmount | None = Field(default=None, description="Other yearly costs per rack.")


class Price(StrictModel):
    """What one rack costs: rented or bought."""

    rent: Rent | None = Field(default=None, description="A rental price.")
    purchase: Purchase | None = Field(default=None, description="A purchase price.")

    @model_validator(mode="after")
    def _one_form(self) -> Price:
        _one_of(self, ("rent", "purchase"), required=True)
        return self


class Quote(StrictModel):
    """Where a price comes from."""

    vendor: Text = Field(description="Who quotes.")
    quoted_on: Day = Field(description="Date of the quote.")
    valid_until: Day | None = Field(default=None, description="Last day on which the price holds.")
    source: Text | None = Field(default=None, description="Number or document of the quote.")
    illustrative: Flag = Field(default=False, description="True for an assumed price that nobody has quoted.")

    @model_validator(mode="after")
    def _ordered(self) -> Quote:
        if self.valid_until is not None and self.valid_until < self.quoted_on:
            raise PydanticCustomError("order", "{text}", {"text": "expected valid_until on or after quoted_on"})
        return self


class RackPower(StrictModel):
    """Electrical power of one rack."""

    kw: RangedNonNegative = Field(description="Power of one rack, kW.", examples=[132])
    basis: Literal["nameplate", "quote", "own-metering"] = Field(description="What the figure stands on.")


class OptionMeasurements(StrictModel):
    """The user's own load tests on this option."""

    files: tuple[Text, ...] = Field(min_length=1, description="Result files, relative to the profile.")
    accelerators: Count | None = Field(default=None, description="Accelerators that were measured.")
    note: Text | None = Field(default=None, description="What was measured, where and when.")


class Option(StrictModel):
    """One candidate: a rack that can be bought or rented."""

    id: Identifier = Field(description="Short id, used everywhere in the record.", examples=["gb300-rack"])
    name: Text = Field(description="Name as the approver knows it.", examples=["GB300 NVL72 rack"])
    accelerator: Text = Field(description="The accelerator, by name or id.", examples=["NVIDIA GB300"])
    accelerators_per_system: Count = Field(description="Accelerators of one system, the unit of deployment.")
    systems_per_rack: Count = Field(default=1, description="Independent systems in one rack.")
    power: RackPower | None = Field(default=None, description="Power of one rack.")
    price: Price | None = Field(default=None, description="Price of one rack; without it the option is not ranked.")
    quote: Quote | None = Field(default=None, description="Where the price comes from.")
    delivery: Day | None = Field(default=None, description="Date on which the first rack can serve.")
    use: Use | None = Field(default=None, description="Realized fraction and utilization of this option.")
    measurements: OptionMeasurements | None = Field(default=None, description="Own load tests on this option.")


class Limits(StrictModel):
    """What a feasible option must stay within. Each is passed or failed by every option."""

    power_kw: Positive | None = Field(default=None, description="Power for all racks together, kW, without PUE.")
    rack_power_kw: Positive | None = Field(default=None, description="Power that one rack position supplies, kW.")
    purchase_budget: MoneyAmount | None = Field(default=None, description="Money for buying, once.")
    yearly_budget: MoneyAmount | None = Field(default=None, description="All-in cost per year.")
    term_budget: MoneyAmount | None = Field(default=None, description="All-in cost of the whole term, present value.")
    deliver_by: Day | None = Field(default=None, description="Latest date for the first rack to serve.")
    racks: Count | None = Field(default=None, description="Rack positions available.")


class Fleet(StrictModel):
    """What already runs, for the software-first check."""

    accelerator: Text = Field(description="The accelerator, by name or id.")
    accelerators_per_system: Count = Field(description="Accelerators of one system.")
    systems_per_rack: Count = Field(default=1, description="Independent systems in one rack.")
    racks: Count = Field(description="Racks in use.")
    software_round: Text = Field(description="MLPerf round whose software the fleet's equals.", examples=["v6.0"])


class VendorClaim(StrictModel):
    """Something that somebody states about performance, to be checked against the published results."""

    id: Identifier = Field(description="Short id within the profile.")
    who: Text = Field(description="Who states it.")
    where: Text = Field(description="Document or address it was read in.")
    date: Day = Field(description="Date of the statement.")
    statement: Text = Field(description="The statement in the vendor's words, briefly.")
    stage: Literal["published", "preview", "after-deadline", "marketing"] = Field(
        description="published: rests on a published result; preview: on a system not on sale; after-deadline: "
        "measured after the submission deadline; marketing: none of these."
    )
    subject: Text = Field(description="The accelerator or system praised.")
    baseline: Text | None = Field(default=None, description="What it is compared with.")
    benchmark: Text | None = Field(default=None, description="The benchmark, if the statement names one.")
    scenario: ScenarioName | None = Field(default=None, description="The scenario, if the statement names one.")
    round: Text | None = Field(default=None, description="The MLPerf round, if the statement names one.")
    baseline_round: Text | None = Field(default=None, description="The baseline's round, if it is another.")
    accelerators: Count | None = Field(default=None, description="System size, if the statement names one.")
    multiplier: Positive | None = Field(default=None, description="Subject over baseline, such as 3.7.")
    value: Positive | None = Field(default=None, description="An absolute figure, in `unit`, of the whole system.")
    unit: Literal["Tokens/s", "Queries/s", "Samples/s"] | None = Field(default=None, description="Unit of `value`.")
    scaling_efficiency: PositiveFraction | None = Field(
        default=None, description="Claimed scaling efficiency at `accelerators`, such as 0.99."
    )
    up_to: Flag = Field(default=False, description="True where the statement says `up to`.")

    @model_validator(mode="after")
    def _one_form(self) -> VendorClaim:
        _one_of(self, ("multiplier", "value", "scaling_efficiency"), required=True)
        if self.value is not None and self.unit is None:
            raise PydanticCustomError("unit", "{text}", {"text": "expected unit beside value"})
        return self


class Policy(StrictModel):
    """How evidence is weighed. Every departure from the defaults is printed in the record."""

    scale: Literal["exact", "nearest", "any"] = Field(
        default="nearest", description="Results on other system sizes: exact none; nearest within a factor of two; any."
    )
    statistic: Literal["median", "minimum", "lower-quartile", "maximum"] = Field(
        default="median", description="Which of the used results is planned with."
    )
    materiality: Fraction | None = Field(
        default=None, description="Difference in the objective below which there is no clear winner; default 0.05."
    )
    precisions: tuple[Text, ...] | None = Field(
        default=None, description="Accepted weight formats, such as fp4, fp8; default: all.", min_length=1
    )
    objective: Objective = Field(default="cost-per-million-tokens", description="What options are ranked by.")
    basis: Literal["verified", "measured"] = Field(
        default="verified", description="Rank on verified results, or on own measurements of every ranked option."
    )


class Decision(StrictModel):
    """What people decided, beside what the tool recommends."""

    statement: Text = Field(description="The decision in one or two sentences.")
    option: Text | None = Field(default=None, description="The option decided for; absent: none of them.")
    because: Text | None = Field(default=None, description="Why, where it departs from the recommendation.")
    by: Text | None = Field(default=None, description="Who decides.")
    on: Day | None = Field(default=None, description="Date of the decision.")


class Review(StrictModel):
    """When the record is looked at again."""

    next_round: Flag = Field(default=True, description="When the next MLPerf round is published.")
    date: Day | None = Field(default=None, description="On a date.")


class ExchangeRate(StrictModel):
    """`rate` units of the profile's currency for one unit of `currency`."""

    currency: Currency = Field(description="The foreign currency.")
    rate: Positive = Field(description="Units of the profile's currency for one unit of it.")
    date: Day = Field(description="Date of the rate.")
    source: Text | None = Field(default=None, description="Where the rate was read.")


class Profile(StrictModel):
    """The facts of one capacity decision."""

    title: Text = Field(description="Title of the record.", examples=["Reasoning service, capacity for 2027"])
    purpose: Text | None = Field(default=None, description="What the capacity is for, in a sentence or two.")
    owner: Text = Field(description="Team or person who owns the record.")
    approver: Text | None = Field(default=None, description="Who decides.")
    status: Literal["draft", "proposed"] = Field(default="proposed", description="Whether it is ready to be decided.")
    currency: Currency = Field(description="ISO 4217 code of the record's currency.", examples=["USD"])
    exchange_rates: tuple[ExchangeRate, ...] = Field(default=(), description="For prices in other currencies.")
    workload: Workload | None = Field(default=None, description="The workload, as one benchmark.")
    workloads: tuple[Workload, ...] | None = Field(
        default=None, min_length=2, description="The workload as several benchmarks, each with its share of tokens."
    )
    demand: Demand = Field(description="What must be served at peak.")
    use: Use = Field(default_factory=Use, description="Realized fraction and utilization of every option.")
    term: Term = Field(default_factory=Term, description="The period that costs are compared over.")
    facility: Facility = Field(default_factory=Facility, description="Electricity, PUE, colocation.")
    limits: Limits = Field(default_factory=Limits, description="Power, budget, date, positions.")
    options: tuple[Option, ...] = Field(min_length=1, description="The candidate racks.")
    fleet: Fleet | None = Field(default=None, description="What already runs.")
    vendor_claims: tuple[VendorClaim, ...] = Field(default=(), description="Statements to check.")
    policy: Policy = Field(default_factory=Policy, description="How evidence is weighed.")
    decision: Decision | None = Field(default=None, description="What people decided.")
    review: Review = Field(default_factory=Review, description="When to look again.")
    notes: Text | None = Field(default=None, description="Anything the reader should know.")

    @property
    def parts(self) -> tuple[Workload, ...]:
        """The workload's parts, one where it is a single benchmark."""
        if self.workloads is not None:
            return self.workloads
        assert self.workload is not None  # checked when the profile was read
        return (self.workload,)

    def option(self, option_id: str) -> Option:
        """The option of that id; KeyError if there is none."""
        for option in self.options:
            if option.id == option_id:
                return option
        raise KeyError(option_id)


