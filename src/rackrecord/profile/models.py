"""What the user writes: the facts of one capacity decision, each field with its meaning and unit."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Literal

from pydantic import Field

from rackrecord.catalog.claim import ScenarioName
from rackrecord.model import StrictModel
from rackrecord.profile.fields import (
    Count,
    CountOrNone,
    Currency,
    Day,
    Discount,
    Flag,
    Fraction,
    Growth,
    Identifier,
    Line,
    Margin,
    MoneyAmount,
    NonNegative,
    Percentile,
    Positive,
    PositiveFraction,
    RangedFraction,
    RangedKilowatts,
    RangedMoney,
    RangedPositive,
    RangedPue,
    RangedRate,
    RangedShare,
    Rate,
    Text,
    Years,
    as_day,
    in_unit,
)
from rackrecord.profile.rules import Finding, RuledModel, needs

Objective = Literal[
    "cost-per-million-tokens",
    "tokens-per-money",
    "tokens-per-joule",
    "tokens-per-second-per-rack",
    "whole-term-cost",
]


class Slo(RuledModel):
    """The latency objectives of the workload. A metric that is absent is not an objective."""

    ttft_ms: Positive | None = Field(
        default=None, description="Time to first token.", examples=[3000], json_schema_extra=in_unit("ms")
    )
    tpot_ms: Positive | None = Field(
        default=None, description="Time per output token.", examples=[80], json_schema_extra=in_unit("ms")
    )
    e2e_ms: Positive | None = Field(
        default=None,
        description="The whole request, from arrival to last token.",
        examples=[12000],
        json_schema_extra=in_unit("ms"),
    )
    percentile: Percentile = Field(
        default=Decimal(99),
        description="The percentile of requests that the limits hold at. MLPerf®'s own limits hold at 99.",
        examples=[99],
        json_schema_extra=in_unit("percent of requests"),
    )

    @classmethod
    def contradictions(cls, values: Mapping[str, Any]) -> list[Finding]:
        """A percentile needs something to be a percentile of."""
        metrics = ("ttft_ms", "tpot_ms", "e2e_ms")
        if any(name in values for name in metrics):
            return []
        return [(None, "found no objective; expected ttft_ms, tpot_ms or e2e_ms, or no slo")]


class Workload(StrictModel):
    """One benchmark that stands for (a part of) the production workload, and what is asked of it."""

    benchmark: Line = Field(
        description="The MLPerf® benchmark nearest to the workload; `rackrecord claims list` shows them.",
        examples=["gpt-oss-120b"],
    )
    scenario: ScenarioName = Field(
        description="The MLPerf® scenario that matches how requests arrive: Server at random, Interactive at "
        "random under tighter limits, Offline all at once, SingleStream one after another."
    )
    suite: Literal["datacenter", "edge"] = Field(default="datacenter", description="The MLPerf® suite.")
    accuracy: NonNegative | None = Field(
        default=None,
        description="Accuracy target, where the benchmark has several (llama2-70b: 99 or 99.9). Results with "
        "a stricter target count too.",
        examples=[99],
        json_schema_extra=in_unit("percent of the reference accuracy"),
    )
    slo: Slo | None = Field(
        default=None, description="Latency objectives; without them any latency is accepted."
    )
    output_tokens_per_request: Positive | None = Field(
        default=None,
        description="Mean output tokens of a production request.",
        examples=[1200],
        json_schema_extra=in_unit("tokens"),
    )
    input_tokens_per_request: NonNegative | None = Field(
        default=None,
        description="Mean input tokens of a production request.",
        examples=[3000],
        json_schema_extra=in_unit("tokens"),
    )
    model: Line | None = Field(default=None, description="The model served in production.")
    share: PositiveFraction | None = Field(
        default=None,
        description="This part's share of the output tokens, where the workload has several parts; the "
        "shares add up to 1.",
        examples=[0.7],
        json_schema_extra=in_unit("fraction"),
    )


class Users(StrictModel):
    """Demand as people: concurrent users and the token rate each of them is given."""

    concurrent: Positive = Field(
        description="Users generating at the same moment, at peak.",
        examples=[9000],
        json_schema_extra=in_unit("users"),
    )
    tokens_per_second_each: Positive = Field(
        description="Output tokens per second that each user is given.",
        examples=[70],
        json_schema_extra=in_unit("tokens/s"),
    )


class Demand(RuledModel):
    """Peak demand in one of three forms (output tokens, requests, users), and how it is provided for."""

    forms = ("output_tokens_per_second", "requests_per_second", "users")

    output_tokens_per_second: RangedPositive | None = Field(
        default=None,
        description="Peak output tokens per second.",
        examples=[5_000_000],
        json_schema_extra=in_unit("tokens/s"),
    )
    requests_per_second: RangedPositive | None = Field(
        default=None,
        description="Peak requests per second; times the workload's output tokens per request where the "
        "benchmark counts tokens.",
        examples=[2600],
        json_schema_extra=in_unit("requests/s"),
    )
    users: Users | None = Field(default=None, description="Concurrent users times tokens per second each.")
    headroom: Margin = Field(
        default=Decimal(0),
        description="Capacity kept free above the peak, as a fraction of it.",
        examples=[0.25],
        json_schema_extra=in_unit("fraction"),
    )
    spares: CountOrNone = Field(
        default=0, description="Racks held in reserve.", examples=[1], json_schema_extra=in_unit("racks")
    )
    yearly_growth: Growth = Field(
        default=Decimal(0),
        description="Growth of the peak each year, as a fraction.",
        examples=[0.2],
        json_schema_extra=in_unit("fraction per year"),
    )


class Use(StrictModel):
    """How much of the benchmark's throughput production gets and uses. Absent: 1, a benchmark ceiling."""

    realized_fraction: RangedFraction | None = Field(
        default=None,
        description="d: production throughput over benchmark throughput, best from a replay of own load.",
        examples=[0.7],
        json_schema_extra=in_unit("fraction"),
    )
    utilization: RangedFraction | None = Field(
        default=None,
        description="u: share of that capacity which is used over the term, average load over capacity.",
        examples=[0.6],
        json_schema_extra=in_unit("fraction"),
    )


class Term(StrictModel):
    """The period that costs are compared over."""

    years: Years = Field(
        default=4, description="Years of the comparison.", json_schema_extra=in_unit("years")
    )
    rate: Rate = Field(
        default=Decimal(0),
        description="Yearly rate at which later costs are discounted.",
        examples=[0.08],
        json_schema_extra=in_unit("fraction per year"),
    )


class Facility(StrictModel):
    """The site that the racks are powered in."""

    electricity_per_kwh: RangedMoney | None = Field(
        default=None,
        description="Price of electricity.",
        examples=[0.085],
        json_schema_extra=in_unit("money per kWh"),
    )
    pue: RangedPue = Field(
        default=1,  # type: ignore[arg-type]  # expanded, as any shorthand is
        description="Power usage effectiveness: site power over rack power.",
        examples=[1.25],
        json_schema_extra=in_unit("ratio"),
    )
    colocation_per_kw_month: RangedMoney | None = Field(
        default=None,
        description="Colocation price of rack power.",
        examples=[150],
        json_schema_extra=in_unit("money per kW and month"),
    )


class Rent(RuledModel):
    """A rental price, in one of three forms."""

    forms = ("per_accelerator_hour", "per_rack_hour", "per_rack_month")

    per_accelerator_hour: RangedMoney | None = Field(
        default=None,
        description="Price of one accelerator.",
        examples=[3.30],
        json_schema_extra=in_unit("money per accelerator and hour"),
    )
    per_rack_hour: RangedMoney | None = Field(
        default=None,
        description="Price of one rack by the hour.",
        examples=[237.60],
        json_schema_extra=in_unit("money per rack and hour"),
    )
    per_rack_month: RangedMoney | None = Field(
        default=None,
        description="Price of one rack by the month of 730 hours.",
        examples=[173000],
        json_schema_extra=in_unit("money per rack and month"),
    )
    commitment: Literal["on-demand", "one-year", "three-years"] = Field(
        default="on-demand", description="The term committed to."
    )
    discount: Discount = Field(
        default=Decimal(0), description="Discount on the price above.", json_schema_extra=in_unit("fraction")
    )
    power_included: Flag = Field(
        default=True, description="Whether the price covers electricity and colocation."
    )


class Purchase(StrictModel):
    """A purchase price and what owning costs."""

    per_rack: RangedMoney = Field(
        description="Price of one rack, before discount.",
        examples=[3_900_000],
        json_schema_extra=in_unit("money per rack"),
    )
    discount: Discount = Field(
        default=Decimal(0), description="Discount on the price above.", json_schema_extra=in_unit("fraction")
    )
    installation_per_rack: RangedMoney | None = Field(
        default=None,
        description="Delivery and installation, once.",
        examples=[60_000],
        json_schema_extra=in_unit("money per rack"),
    )
    rate: RangedRate | None = Field(
        default=None,
        description="Yearly cost of capital; absent: the term's rate.",
        examples=[0.08],
        json_schema_extra=in_unit("fraction per year"),
    )
    years: Years | None = Field(
        default=None,
        description="Years of use; absent: the term's years.",
        examples=[4],
        json_schema_extra=in_unit("years"),
    )
    residual: RangedShare = Field(
        default=0,  # type: ignore[arg-type]  # expanded, as any shorthand is
        description="Residual value at the end, as a fraction of the price paid.",
        examples=[0.1],
        json_schema_extra=in_unit("fraction"),
    )
    support_rate: RangedShare = Field(
        default=0,  # type: ignore[arg-type]  # expanded, as any shorthand is
        description="Yearly support, as a fraction of the price paid.",
        examples=[0.05],
        json_schema_extra=in_unit("fraction per year"),
    )
    support_per_year: RangedMoney | None = Field(
        default=None,
        description="Yearly support as an amount, on top of support_rate.",
        examples=[120_000],
        json_schema_extra=in_unit("money per rack and year"),
    )
    other_per_year: RangedMoney | None = Field(
        default=None,
        description="Other yearly costs.",
        examples=[20_000],
        json_schema_extra=in_unit("money per rack and year"),
    )


class Price(RuledModel):
    """What one rack costs: rented or bought."""

    forms = ("rent", "purchase")

    rent: Rent | None = Field(default=None, description="A rental price.")
    purchase: Purchase | None = Field(default=None, description="A purchase price.")


class Quote(RuledModel):
    """Where a price comes from."""

    vendor: Line = Field(description="Who quotes.")
    quoted_on: Day = Field(description="Date of the quote.")
    valid_until: Day | None = Field(default=None, description="Last day on which the price holds.")
    source: Line | None = Field(default=None, description="Number or document of the quote.")
    illustrative: Flag = Field(default=False, description="True for an assumed price that nobody has quoted.")

    @classmethod
    def contradictions(cls, values: Mapping[str, Any]) -> list[Finding]:
        """A quote does not end before it begins."""
        begins, ends = as_day(values.get("quoted_on")), as_day(values.get("valid_until"))
        if begins is None or ends is None or begins <= ends:
            return []
        return [("valid_until", f"found {ends}, before quoted_on; expected {begins} or a later date")]


class RackPower(StrictModel):
    """Electrical power of one rack, for planning; it gives a provisioned figure."""

    kw: RangedKilowatts = Field(
        description="Power of one rack.", examples=[132], json_schema_extra=in_unit("kW")
    )
    basis: Literal["nameplate", "quote", "own-metering"] = Field(description="What the figure stands on.")


class OptionMeasurements(StrictModel):
    """The user's own load tests on this option."""

    files: tuple[Line, ...] = Field(
        min_length=1,
        description="Result files of load tests, by their path from the profile's folder.",
        examples=[["replay-gb300.json"]],
    )
    accelerators: Count | None = Field(
        default=None,
        description="Accelerators that were measured, where the files do not say it.",
        examples=[72],
        json_schema_extra=in_unit("accelerators"),
    )
    note: Text | None = Field(default=None, description="What was measured, where and when.")


class Option(StrictModel):
    """One candidate: a rack that can be bought or rented."""

    id: Identifier = Field(description="Short id, used in the record's tables.", examples=["gb300-nvl72"])
    name: Line = Field(description="Name for readers.", examples=["GB300 NVL72 rack"])
    accelerator: Line = Field(
        description="The accelerator, by name or id; `rackrecord claims list` shows them.",
        examples=["NVIDIA GB300"],
    )
    accelerators_per_system: Count = Field(
        description="Accelerators of one system, the unit of deployment: 72 for one NVL72 rack, 8 for a "
        "server with eight.",
        examples=[72],
        json_schema_extra=in_unit("accelerators"),
    )
    systems_per_rack: Count = Field(
        default=1, description="Independent systems in one rack.", json_schema_extra=in_unit("systems")
    )
    power: RackPower | None = Field(default=None, description="Power of one rack.")
    price: Price | None = Field(
        default=None, description="Price of one rack; without it the option is not ranked."
    )
    quote: Quote | None = Field(default=None, description="Where the price comes from.")
    delivery: Day | None = Field(default=None, description="Date on which the first rack can serve.")
    use: Use | None = Field(
        default=None,
        description="Realized fraction and utilization of this option, in place of the general ones.",
    )
    measurements: OptionMeasurements | None = Field(
        default=None, description="Own load tests on this option."
    )


class Limits(StrictModel):
    """What a feasible option must stay within. Each is passed or failed by every option."""

    power_kw: Positive | None = Field(
        default=None,
        description="Power for all racks together, without PUE.",
        examples=[2500],
        json_schema_extra=in_unit("kW"),
    )
    rack_power_kw: Positive | None = Field(
        default=None,
        description="Power that one rack position supplies.",
        examples=[140],
        json_schema_extra=in_unit("kW"),
    )
    purchase_budget: MoneyAmount | None = Field(
        default=None,
        description="For buying, once.",
        examples=[40_000_000],
        json_schema_extra=in_unit("money"),
    )
    yearly_budget: MoneyAmount | None = Field(
        default=None,
        description="All-in cost of a year.",
        examples=[30_000_000],
        json_schema_extra=in_unit("money per year"),
    )
    term_budget: MoneyAmount | None = Field(
        default=None,
        description="All-in cost of the whole term, present value.",
        examples=[90_000_000],
        json_schema_extra=in_unit("money"),
    )
    deliver_by: Day | None = Field(default=None, description="Latest date for the first rack to serve.")
    racks: Count | None = Field(
        default=None,
        description="Rack positions available.",
        examples=[20],
        json_schema_extra=in_unit("racks"),
    )


class Fleet(StrictModel):
    """What already runs, for the software-first check."""

    accelerator: Line = Field(description="The accelerator, by name or id.", examples=["NVIDIA GB300"])
    accelerators_per_system: Count = Field(
        description="Accelerators of one system.", examples=[72], json_schema_extra=in_unit("accelerators")
    )
    systems_per_rack: Count = Field(
        default=1, description="Independent systems in one rack.", json_schema_extra=in_unit("systems")
    )
    racks: Count = Field(description="Racks in use.", examples=[6], json_schema_extra=in_unit("racks"))
    software_round: Line = Field(
        description="The MLPerf® round that the fleet's software dates from.", examples=["v6.0"]
    )


class VendorClaim(RuledModel):
    """Something that somebody states about performance, to be checked against the published results.

    It states one of multiplier, value (with its unit) and scaling_efficiency (with accelerators).
    """

    forms = ("multiplier", "value", "scaling_efficiency")

    id: Identifier = Field(description="Short id within the profile.", examples=["vr-3.7x"])
    who: Line = Field(description="Who states it.")
    where: Text = Field(description="Document or address it was read in.")
    date: Day = Field(description="Date of the statement.")
    statement: Text = Field(description="The statement in the vendor's words, briefly.")
    stage: Literal["published", "preview", "after-deadline", "marketing"] = Field(
        description="published: rests on a published result; preview: on a system not on sale; "
        "after-deadline: measured after the submission deadline; marketing: none of these."
    )
    subject: Line = Field(description="The accelerator or system praised.", examples=["NVIDIA Vera Rubin"])
    baseline: Line | None = Field(
        default=None, description="What it is compared with.", examples=["NVIDIA GB300"]
    )
    benchmark: Line | None = Field(
        default=None, description="The benchmark, if the statement names one.", examples=["gpt-oss-120b"]
    )
    scenario: ScenarioName | None = Field(
        default=None, description="The scenario, if the statement names one."
    )
    round: Line | None = Field(
        default=None, description="The MLPerf® round, if the statement names one.", examples=["v6.1"]
    )
    baseline_round: Line | None = Field(
        default=None, description="The baseline's round, if it is another.", examples=["v6.0"]
    )
    accelerators: Count | None = Field(
        default=None,
        description="System size, if the statement names one.",
        examples=[512],
        json_schema_extra=in_unit("accelerators"),
    )
    multiplier: Positive | None = Field(
        default=None, description="Subject over baseline.", examples=[3.7], json_schema_extra=in_unit("ratio")
    )
    value: Positive | None = Field(
        default=None,
        description="An absolute figure of the whole system.",
        examples=[5_750_000],
        json_schema_extra=in_unit("as `unit` says"),
    )
    unit: Literal["Tokens/s", "Queries/s", "Samples/s"] | None = Field(
        default=None, description="Unit of `value`."
    )
    scaling_efficiency: PositiveFraction | None = Field(
        default=None,
        description="Scaling efficiency stated for `accelerators`.",
        examples=[0.99],
        json_schema_extra=in_unit("fraction"),
    )
    up_to: Flag = Field(default=False, description="True where the statement says `up to`.")

    @classmethod
    def contradictions(cls, values: Mapping[str, Any]) -> list[Finding]:
        """One kind of statement, with what gives it a meaning."""
        return [
            *super().contradictions(values),
            *needs(values, "value", "unit"),
            *needs(values, "unit", "value"),
            *needs(values, "scaling_efficiency", "accelerators"),
            *needs(values, "baseline_round", "baseline"),
        ]


class Policy(StrictModel):
    """How evidence is weighed. Every departure from the defaults is printed in the record."""

    scale: Literal["exact", "nearest", "any"] = Field(
        default="nearest",
        description="Results of other system sizes that count. exact: none; nearest: the nearest size within "
        "a factor of two, where there is none of the option's own; any: the nearest size, however far.",
    )
    statistic: Literal["median", "minimum", "lower-quartile", "maximum"] = Field(
        default="median", description="Which of the used results is planned with."
    )
    materiality: Fraction | None = Field(
        default=None,
        description="Difference in the objective below which there is no clear winner; absent: 0.05.",
        examples=[0.05],
        json_schema_extra=in_unit("fraction"),
    )
    precisions: tuple[Line, ...] | None = Field(
        default=None,
        description="Weight formats accepted; absent: all.",
        min_length=1,
        examples=[["fp4", "fp8"]],
    )
    objective: Objective = Field(
        default="cost-per-million-tokens",
        description="What options are ranked by. tokens-per-joule is of provisioned rack power.",
    )
    basis: Literal["verified", "measured"] = Field(
        default="verified",
        description="Rank on verified results, or on own measurements of every option.",
    )


class Decision(StrictModel):
    """What people decided, beside what the tool recommends."""

    statement: Text = Field(description="The decision in one or two sentences.")
    option: Line | None = Field(
        default=None, description="The id of the option decided for; absent: none of them."
    )
    because: Text | None = Field(default=None, description="Why, where it departs from the recommendation.")
    by: Line | None = Field(default=None, description="Who decides; absent: the approver.")
    decided_on: Day | None = Field(default=None, description="Date of the decision.")


class Review(RuledModel):
    """When the record is looked at again."""

    next_round: Flag = Field(default=True, description="When the next MLPerf® round is published.")
    date: Day | None = Field(default=None, description="On a date.")

    @classmethod
    def contradictions(cls, values: Mapping[str, Any]) -> list[Finding]:
        """A record is looked at again at some time."""
        if values.get("next_round") is not False or "date" in values:
            return []
        return [("next_round", "found false and no date; expected a date, or true")]


class ExchangeRate(StrictModel):
    """`rate` units of the profile's currency for one unit of `currency`."""

    currency: Currency = Field(description="The foreign currency.")
    rate: Positive = Field(
        description="Units of the profile's currency for one unit of it.",
        examples=[1.08],
        json_schema_extra=in_unit("profile's currency per foreign unit"),
    )
    date: Day = Field(description="Date of the rate.")
    source: Line | None = Field(default=None, description="Where the rate was read.")


class Profile(RuledModel):
    """The facts of one capacity decision."""

    forms = ("workload", "workloads")

    title: Line = Field(description="Title of the record.", examples=["Reasoning service, capacity for 2027"])
    purpose: Text | None = Field(default=None, description="What the capacity is for, in a sentence or two.")
    owner: Line = Field(
        description="Team or person who owns the record.", examples=["Inference platform team"]
    )
    approver: Line | None = Field(default=None, description="Who decides.", examples=["Purchasing board"])
    status: Literal["draft", "proposed"] = Field(
        default="proposed", description="Whether it is ready to be decided."
    )
    currency: Currency = Field(description="The record's currency, as its ISO 4217 code.", examples=["USD"])
    exchange_rates: tuple[ExchangeRate, ...] = Field(
        default=(), description="Dated rates for prices in other currencies."
    )
    workload: Workload | None = Field(default=None, description="The workload, as one benchmark.")
    workloads: tuple[Workload, ...] | None = Field(
        default=None,
        min_length=2,
        description="The workload as several benchmarks, each with its share of the tokens.",
    )
    demand: Demand = Field(description="What must be served at peak.")
    use: Use = Field(default_factory=Use, description="Realized fraction and utilization of every option.")
    term: Term = Field(
        default_factory=Term, description="Over which years costs are compared, at which rate."
    )
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
