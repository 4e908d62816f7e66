"""The limits of the profile against one option, over the whole term."""

from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from rackrecord.data import Data
from rackrecord.economics.inputs import Converter, RackInputs, RentTerms
from rackrecord.economics.plan import YearPlan
from rackrecord.profile.fields import Money
from rackrecord.profile.models import Option, Profile

# Above a limit by less than this share of it is a rounding of the last digit.
_TOLERANCE = Decimal("1e-18")


class LimitCheck(Data):
    """One limit of the profile against one option, over the whole term.

    Amounts are in `unit`; `found` is the highest of the term's years, None where the profile does not state
    it, which fails unless `note` says why not. A delivery limit has dates instead. used: found over allowed
    · fails_in_year: the first year that does not pass, None where the limit is not one of years.
    """

    limit: str
    unit: str
    allowed: Decimal | None
    found: Decimal | None
    allowed_on: date | None
    found_on: date | None
    passed: bool
    used: Decimal | None
    fails_in_year: int | None
    note: str | None


def check_limits(
    profile: Profile,
    option: Option,
    inputs: RackInputs,
    years: Sequence[YearPlan],
    rack_price: Decimal | None,
    term_cost: Decimal,
) -> tuple[LimitCheck, ...]:
    """Every limit that the profile sets."""
    limits, currency, convert = profile.limits, profile.currency, Converter(profile)
    rack_kw = inputs.site.rack_kw.value if inputs.site.rack_kw is not None else None
    racks = [Decimal(year.racks) for year in years]
    power = [count * rack_kw for count in racks] if rack_kw is not None else None
    bought = [count * rack_price if rack_price is not None else Decimal(0) for count in racks]
    # A rack whose rent covers power is the provider's: a power limit counts only if its power is stated.
    elsewhere = isinstance(inputs.terms, RentTerms) and inputs.terms.power_included
    unstated = "not stated; the rent covers power" if elsewhere else None

    def money(amount: Money | None) -> Decimal | None:
        return convert.amount(amount) if amount is not None else None

    rows = (
        _yearly("total power", "kW", limits.power_kw, power, unstated),
        _once("power per rack", "kW", limits.rack_power_kw, rack_kw, unstated),
        _yearly("purchase budget", currency, money(limits.purchase_budget), bought),
        _yearly(
            "yearly budget", f"{currency} a year", money(limits.yearly_budget), [year.cost for year in years]
        ),
        _once("whole-term budget", currency, money(limits.term_budget), term_cost),
        _yearly(
            "rack positions", "racks", Decimal(limits.racks) if limits.racks is not None else None, racks
        ),
        _delivery(limits.deliver_by, option.delivery),
    )
    return tuple(row for row in rows if row is not None)


def binding_limit(checks: Sequence[LimitCheck]) -> str | None:
    """The limit that decides: the failed one most exceeded, else the one most used; None without limits.

    What is not stated and what comes too late has no measure of how much it is exceeded, so it comes first.
    """
    failed = [check for check in checks if not check.passed]
    unmeasured = [check for check in failed if check.used is None]
    measured = [check for check in failed or checks if check.used is not None]
    if unmeasured:
        return unmeasured[0].limit
    return max(measured, key=lambda check: check.used or Decimal(0)).limit if measured else None


def _yearly(
    limit: str,
    unit: str,
    allowed: Decimal | None,
    found: Sequence[Decimal] | None,
    unstated: str | None = None,
) -> LimitCheck | None:
    """A limit that holds in every year; what counts adds up over the years, so the highest is compared."""
    check = _once(limit, unit, allowed, max(found) if found is not None else None, unstated)
    if check is None or check.passed or found is None or allowed is None:
        return check
    year = next(number for number, amount in enumerate(found, start=1) if _exceeds(amount, allowed))
    return check.model_copy(update={"fails_in_year": year})


def _once(
    limit: str, unit: str, allowed: Decimal | None, found: Decimal | None, unstated: str | None = None
) -> LimitCheck | None:
    if allowed is None:
        return None
    return LimitCheck(
        limit=limit,
        unit=unit,
        allowed=allowed,
        found=found,
        allowed_on=None,
        found_on=None,
        passed=not _exceeds(found, allowed) if found is not None else unstated is not None,
        used=found / allowed if found is not None and allowed else None,
        fails_in_year=None,
        note=unstated if found is None else None,
    )


def _exceeds(found: Decimal, allowed: Decimal) -> bool:
    return found > allowed * (1 + _TOLERANCE)


def _delivery(allowed: date | None, found: date | None) -> LimitCheck | None:
    if allowed is None:
        return None
    return LimitCheck(
        limit="delivery",
        unit="date",
        allowed=None,
        found=None,
        allowed_on=allowed,
        found_on=found,
        passed=found is not None and found <= allowed,
        used=None,
        fails_in_year=None,
        note=None,
    )
