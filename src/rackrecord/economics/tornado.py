"""How far the cost per million tokens moves with each input that has a range."""

from decimal import Decimal

from rackrecord.data import Data
from rackrecord.economics.figures import Evidence, mean_rate, unit_cost
from rackrecord.economics.inputs import LEVERS, RackInputs


class Swing(Data):
    """Cost per million tokens with one input at either end of its range, the others as planned.

    `value` is the input as planned; it and the ends are in `unit`, where `money` stands for the record's
    currency.
    """

    input: str
    unit: str
    value: Decimal
    low: Decimal
    high: Decimal
    cost_at_low: Decimal
    cost_at_high: Decimal


def tornado(inputs: RackInputs, evidence: Evidence) -> tuple[Swing, ...]:
    """The swings of the inputs with a range and of the benchmark's results, widest first, none of width 0."""
    swings: list[Swing] = []
    for name, lever in LEVERS.items():
        span = inputs.span(name)
        if span is None:
            continue
        low = span.low if span.low is not None else span.value
        high = span.high if span.high is not None else span.value
        swings.append(
            Swing(
                input=lever.label,
                unit=lever.unit,
                value=span.value,
                low=low,
                high=high,
                cost_at_low=unit_cost(inputs.with_value(name, low), evidence.planning),
                cost_at_high=unit_cost(inputs.with_value(name, high), evidence.planning),
            )
        )
    swings.append(
        Swing(
            input="benchmark evidence",
            unit="output tokens/s per accelerator",
            value=mean_rate(evidence.planning),
            low=mean_rate(evidence.lowest),
            high=mean_rate(evidence.highest),
            cost_at_low=unit_cost(inputs, evidence.lowest),
            cost_at_high=unit_cost(inputs, evidence.highest),
        )
    )
    moving = [swing for swing in swings if swing.cost_at_low != swing.cost_at_high]
    return tuple(
        sorted(moving, key=lambda swing: (-abs(swing.cost_at_high - swing.cost_at_low), swing.input))
    )
