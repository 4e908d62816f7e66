"""The ranking: its rows on the sheet Options, and the sheet Ranking that shows the options in its order."""

from __future__ import annotations

from collections.abc import Callable

from rackrecord.economics.objective import GOALS
from rackrecord.quantities import percent
from rackrecord.render.sheets.book import Book, Sheet, Value, address
from rackrecord.render.sheets.context import Context
from rackrecord.render.sheets.grid import Heading, Row
from rackrecord.render.sheets.model import OptionModel

_COLUMNS = (
    ("cost", "{money} per million output tokens", "six"),
    ("above_best", "above the best", "percent"),
    ("racks", "racks, first year", "count"),
    ("yearly", "all-in cost, first year, {money}", "whole"),
    ("term", "whole term, present value, {money}", "whole"),
    ("per_joule", "output tokens per joule, provisioned", "six"),
)
_FIRST_ROW = 9


def ranking_rows(context: Context) -> list[Row | Heading]:
    """Rank, cost above the best, and the score that the rank goes by."""
    grid = context.grid

    def rank(model: OptionModel) -> str:
        feasible, scores, own = grid.across("feasible"), grid.across("score"), context.cell("score", model)
        others = f'({feasible}="yes")*ISNUMBER({scores})'
        ahead = f"SUMPRODUCT({others}*({scores}<{own}))"
        # Between equals the profile's order decides.
        equal = f"SUMPRODUCT({others}*({scores}={own})*(COLUMN({scores})<COLUMN({own})))"
        return f'IF(AND({context.cell("feasible", model)}="yes",ISNUMBER({own})),1+{ahead}+{equal},"")'

    def score(model: OptionModel) -> str:
        objective = context.inputs.name("objective")
        return (
            f'IFERROR(IF({objective}="whole-term-cost",{context.cell("term", model)},'
            f'IF({objective}="tokens-per-joule",1/{context.cell("per_joule", model)},'
            f'IF({objective}="tokens-per-second-per-rack",1/{context.cell("throughput", model)},'
            f'{context.cell("cost", model)}))),"")'
        )

    def above(model: OptionModel) -> str:
        best = f"INDEX({grid.across('cost')},MATCH(1,{grid.across('rank')},0))"
        return f"{context.cell('cost', model)}/{best}-1"

    return [
        context.row("rank", "rank", "1 is best", "count-bold", rank, lambda m: rank_of(context, m)),
        context.row("above_best", "cost above the best", "", "percent", above, lambda m: _above(context, m)),
        context.row(
            "score", "score of the objective", "less is better", "scientific", score, _score(context)
        ),
    ]


def rank_of(context: Context, model: OptionModel) -> Value:
    """The option's place in the record's ranking, empty where it has none."""
    ranking = context.record.comparison.ranking
    option = model.option.id
    return ranking.index(option) + 1 if option in ranking else ""


def _score(context: Context) -> Callable[[OptionModel], Value]:
    goal = GOALS[context.record.comparison.objective]

    def value(model: OptionModel) -> Value:
        score = goal.score(model.figures) if model.figures is not None else None
        return score if score is not None else ""

    return value


def _above(context: Context, model: OptionModel) -> Value:
    best = context.record.comparison.best
    first = context.record.figures(best) if best is not None else None
    if first is None or model.figures is None or not first.cost_per_million_tokens:
        return None
    return model.figures.cost_per_million_tokens / first.cost_per_million_tokens - 1


def write_ranking(book: Book, context: Context) -> Sheet:
    """The first sheet: what the record says, and the options in the order of their present rank."""
    record = context.record
    sheet = book.sheet("Ranking", (7, 44, 22, 16, 14, 22, 24, 22))
    number = f" {record.number:04d}" if record.number is not None else ""
    sheet.text(0, 0, f"Capacity decision record{number}: {record.title}", "title")
    sheet.text(1, 0, f"{record.status}, as of {record.as_of.isoformat()}, {record.tool}")
    decision = record.capacity_decision_record.decision
    sheet.text(2, 0, f"In the record: {decision.recommendation}")
    sheet.text(3, 0, f"Strength in the record: {decision.strength.value}: {decision.why}.")
    sheet.text(
        5,
        0,
        "This table follows the sheet Inputs: change a price there and see the ranks move. What the record "
        "says does not change.",
        "note",
    )
    sheet.text(
        6,
        0,
        "Figures per accelerator, per rack, per money and per joule are derived; they are not official "
        "MLPerf\u00ae metrics.",
        "note",
    )
    titles = ("Rank", "Option", *(title.replace("{money}", context.money) for _, title, _ in _COLUMNS))
    sheet.head(_FIRST_ROW - 1, titles, right=range(2, len(titles)))
    with_evidence = [model for model in context.models if model.evidence is not None]
    for place in range(1, len(with_evidence) + 1):
        _write_place(sheet, context, place)
    row = _FIRST_ROW + len(with_evidence)
    row = _write_margin(sheet, context, row)
    _write_left_out(sheet, context, row + 1)
    return sheet


def _write_place(sheet: Sheet, context: Context, place: int) -> None:
    """The option of one rank, empty while there is none."""
    record, row = context.record, _FIRST_ROW + place - 1
    ranking = record.comparison.ranking
    model = None
    if place <= len(ranking):
        model = next(m for m in context.models if m.option.id == ranking[place - 1])
    ranks = f"Options!{context.grid.across('rank')}"
    sheet.number(row, 0, place, "count-bold")
    columns = [("name", "word"), *((key, style) for key, _, style in _COLUMNS)]
    for column, (key, style) in enumerate(columns, start=1):
        figures = f"Options!{context.grid.across(key)}"
        value = context.grid.value(key, model) if model is not None else ""
        formula = f'IFERROR(INDEX({figures},MATCH({place},{ranks},0)),"")'
        if key != "name" and value is None:
            value = ""
        sheet.formula(row, column, formula, value, "text-left" if key == "name" else style)


def _write_margin(sheet: Sheet, context: Context, row: int) -> int:
    """The difference between the first two, against the materiality."""
    comparison = context.record.comparison
    scores, ranks = (f"Options!{context.grid.across(key)}" for key in ("score", "rank"))
    second, first = (f"INDEX({scores},MATCH({place},{ranks},0))" for place in (2, 1))
    sheet.text(row, 1, "Next option behind the first, by the objective")
    margin: Value = comparison.margin if comparison.margin is not None else ""
    sheet.formula(row, 2, f'IFERROR({second}/{first}-1,"")', margin, "percent")
    words: Value = ""
    if comparison.margin is not None:
        words = "within it" if comparison.margin <= comparison.materiality else "beyond it"
    materiality, cell = context.inputs.name("materiality"), address(row, 2)
    sheet.text(row + 1, 1, f"Materiality {percent(comparison.materiality)} in the record: the difference is")
    formula = f'IF(ISNUMBER({cell}),IF({cell}<={materiality},"within it","beyond it"),"")'
    sheet.formula(row + 1, 2, formula, words, "word")
    return row + 2


def _write_left_out(sheet: Sheet, context: Context, row: int) -> None:
    """The options that the record does not rank, with its reasons."""
    comparison = context.record.comparison
    left_out = [(option, "fails a limit") for option in comparison.infeasible]
    left_out += [(item.option, item.reason) for item in comparison.not_ranked]
    if not left_out:
        return
    sheet.text(row, 1, "Not in the record's ranking", "section")
    for option, reason in left_out:
        row += 1
        figures = context.record.figures(option)
        failed = [check.limit for check in figures.limits if not check.passed] if figures else []
        sheet.text(row, 1, context.record.profile.option(option).name)
        sheet.text(row, 2, f"fails {', '.join(failed)}" if failed else reason)
