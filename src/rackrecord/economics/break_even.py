"""What would have to change, one input at a time, for another option to draw level with the best."""

from collections.abc import Callable
from decimal import Decimal

from rackrecord.data import Data
from rackrecord.economics.cost import hourly_cost, total
from rackrecord.economics.figures import OptionFigures
from rackrecord.economics.inputs import price_lever
from rackrecord.economics.objective import GOALS, Goal, Ranked
from rackrecord.profile.models import Objective

_TOKEN_COSTS: frozenset[Objective] = frozenset({"cost-per-million-tokens", "tokens-per-money"})
# Where racks come in whole numbers, a change of throughput is found by halving, to this share of itself.
_PRECISE = Decimal("1e-12")
_MOST = Decimal(10) ** 6
# Quantities closer than this share of themselves are the same but for rounding.
_EQUAL = Decimal("1e-20")


class BreakEven(Data):
    """What would make one option level with the best, one input at a time, all else unchanged.

    ahead: it is better than the best in the objective, and only fails a limit · cost_above_best: its cost
    per million tokens over the best's, less one, whatever the objective; None where the best costs nothing.
    price_change: relative change of its price · throughput_change: relative change of its throughput, for
    the whole-term cost the smallest that saves enough racks · utilization: its own value, at most 1 ·
    electricity_price: money per kWh for both options. None where the objective does not depend on that
    input, or no value of it will do. For an option that fails a limit they are changes in the objective
    alone; it still fails the limit.
    """

    option: str
    ahead: bool
    cost_above_best: Decimal | None
    price_change: Decimal | None
    throughput_change: Decimal | None
    utilization: Decimal | None
    electricity_price: Decimal | None


def break_even(objective: Objective, item: Ranked, best: Ranked) -> BreakEven:
    """The break-evens of one option against the best."""
    goal, figures, target = GOALS[objective], item.figures, best.figures
    wanted, score = goal.score(target), goal.score(figures)
    times = _throughput(goal, figures, wanted)
    best_cost = target.cost_per_million_tokens
    return BreakEven(
        option=figures.option,
        ahead=score is not None and wanted is not None and score < wanted,
        cost_above_best=figures.cost_per_million_tokens / best_cost - 1 if best_cost else None,
        price_change=_price_change(goal, item, wanted),
        throughput_change=times - 1 if times is not None else None,
        utilization=_utilization(figures, times) if objective in _TOKEN_COSTS else None,
        electricity_price=_electricity_price(goal, item, best),
    )


def fraction_floor(objective: Objective, best: OptionFigures, second: OptionFigures) -> Decimal | None:
    """The best option's realized fraction at which the second one draws level, all else equal."""
    goal = GOALS[objective]
    times = _throughput(goal, best, goal.score(second))
    return best.realized_fraction * times if times is not None else None


def _throughput(goal: Goal, figures: OptionFigures, wanted: Decimal | None) -> Decimal | None:
    """The smallest multiple of the throughput that brings the score to `wanted`; None where none does."""
    score = goal.score(figures)
    if score is None or not wanted or not score:
        return None
    if not goal.in_steps:
        return score / wanted

    def enough(times: Decimal) -> bool:
        value = goal.at_throughput(figures, times)
        return value is not None and value <= wanted

    return _smallest(enough)


def _smallest(enough: Callable[[Decimal], bool]) -> Decimal | None:
    """The smallest factor that is enough, where every larger one is enough as well."""
    low, high = 1 / _MOST, _MOST
    if enough(low) or not enough(high):
        return None
    while high / low > 1 + _PRECISE:
        middle = (low * high).sqrt()
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _utilization(figures: OptionFigures, times: Decimal | None) -> Decimal | None:
    """Utilization counts like throughput in a cost per token."""
    if times is None or figures.utilization * times > 1:
        return None
    return figures.utilization * times


def _line(goal: Goal, item: Ranked, lever: str) -> tuple[Decimal, Decimal] | None:
    """The score as intercept and slope over an input that the cost is linear in; None without that input."""
    if goal.per_cost is None or item.inputs.span(lever) is None:
        return None
    factor = goal.per_cost(item.figures)

    def at(value: int) -> Decimal:
        return factor * total(hourly_cost(item.inputs.with_value(lever, Decimal(value))))

    return at(0), at(1) - at(0)


def _price_change(goal: Goal, item: Ranked, wanted: Decimal | None) -> Decimal | None:
    """The relative change of the option's price; None where even a price of 0 is too much."""
    lever = price_lever(item.inputs)
    price, line = item.inputs.span(lever), _line(goal, item, lever)
    if price is None or line is None or wanted is None or not price.value:
        return None
    rest, slope = line
    if not slope:
        return None
    change = (wanted - rest) / (slope * price.value) - 1
    return change if change >= -1 else None


def _electricity_price(goal: Goal, item: Ranked, best: Ranked) -> Decimal | None:
    """The price per kWh at which both score the same; None where there is no such price."""
    lines = _line(goal, item, "per_kwh"), _line(goal, best, "per_kwh")
    if lines[0] is None or lines[1] is None:
        return None
    (rest, slope), (best_rest, best_slope) = lines[0], lines[1]
    if abs(best_slope - slope) <= _EQUAL * max(slope, best_slope):
        return None  # both use as much: what is left of the difference is rounding
    price = (rest - best_rest) / (best_slope - slope)
    return price if price >= 0 else None
