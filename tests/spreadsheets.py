"""Reading `record.xlsx` back, as it is stored and as LibreOffice works it out anew."""

from __future__ import annotations

import io
import re
import subprocess
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import openpyxl

# Recalculate whatever a file claims about itself; by default LibreOffice trusts stored values.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop>
</item>
</oor:items>
"""


def recalculated(soffice: str, folder: Path, files: Mapping[str, bytes]) -> dict[str, Workbook]:
    """The workbooks as LibreOffice works them out, their stored values taken away beforehand."""
    settings = folder / "profile" / "user" / "registrymodifications.xcu"
    settings.parent.mkdir(parents=True)
    settings.write_text(_SETTINGS, encoding="utf-8")
    paths = []
    for name, content in files.items():
        path = folder / f"{name}.xlsx"
        path.write_bytes(without_values(content))
        paths.append(str(path))
    out = folder / "out"
    command = [soffice, f"-env:UserInstallation={(folder / 'profile').as_uri()}", "--headless"]
    command += ["--convert-to", "xlsx", "--outdir", str(out), *paths]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return {name: Workbook((out / f"{name}.xlsx").read_bytes()) for name in files}


def without_values(content: bytes) -> bytes:
    """The workbook with every stored result of a formula removed."""
    target = io.BytesIO()
    taken = 0
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w") as copy:
        for item in source.infolist():
            data = source.read(item)
            if item.filename.startswith("xl/worksheets/"):
                text, count = re.subn(r"</f><v>[^<]*</v>", "</f>", data.decode())
                data, taken = text.encode(), taken + count
            copy.writestr(item, data)
    assert taken, "there are formulas with stored results"
    return target.getvalue()


def with_inputs(content: bytes, changes: Mapping[str, Any]) -> bytes:
    """The workbook with other values in cells, given by name or as `Sheet!A1`, as somebody types them."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    for name, value in changes.items():
        sheet, cell = name.split("!") if "!" in name else _place(book, name)
        book[sheet][cell] = value
    target = io.BytesIO()
    book.save(target)
    target.seek(0)
    return _with_empty_values(target.getvalue())


def _with_empty_values(content: bytes) -> bytes:
    """openpyxl writes `<v />` after a formula; brought to the form of a stored result, to be taken away."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as source, zipfile.ZipFile(target, "w") as copy:
        for item in source.infolist():
            data = source.read(item)
            if item.filename.startswith("xl/worksheets/"):
                data = re.sub(rb"</f><v ?/>", b"</f><v></v>", data)
            copy.writestr(item, data)
    return target.getvalue()


def _place(book: Any, name: str) -> tuple[str, str]:
    sheet, cell = book.defined_names[name].attr_text.split("!")
    return sheet, cell.replace("$", "")


@dataclass(frozen=True)
class Formula:
    """A formula cell: where, what it says, what is stored with it, and the first cell of its row."""

    sheet: str
    cell: str
    formula: str
    value: Any
    label: Any


class Workbook:
    """A workbook's formulas and values."""

    def __init__(self, content: bytes) -> None:
        self._formulas = openpyxl.load_workbook(io.BytesIO(content))
        self.values = openpyxl.load_workbook(io.BytesIO(content), data_only=True)

    @property
    def names(self) -> dict[str, Any]:
        """The named inputs and their values."""
        places = {name: _place(self._formulas, name) for name in self._formulas.defined_names}
        return {name: self.values[sheet][cell].value for name, (sheet, cell) in places.items()}

    def formulas(self) -> Iterator[Formula]:
        """Every formula cell."""
        for sheet in self._formulas:
            for row in sheet.iter_rows():
                for cell in row:
                    if cell.data_type == "f":
                        value = self.values[sheet.title][cell.coordinate].value
                        label = sheet.cell(cell.row, 1).value
                        yield Formula(sheet.title, cell.coordinate, cell.value, value, label)

    def rows(self, sheet: str) -> list[list[Any]]:
        """The values of a sheet."""
        return [[cell.value for cell in row] for row in self.values[sheet].iter_rows()]

    def options(self) -> dict[str, dict[str, Any]]:
        """The sheet Options: option's name to figure's label to value."""
        rows = self.rows("Options")
        titles = next(index for index, row in enumerate(rows) if row[0] == "Figure")
        names = rows[titles][2:]
        return {
            name: {row[0]: row[2 + place] for row in rows[titles + 1 :] if row[0] is not None}
            for place, name in enumerate(names)
            if name is not None
        }

    def ranking(self) -> list[str]:
        """The names on the sheet Ranking in their order."""
        rows = self.rows("Ranking")
        titles = next(index for index, row in enumerate(rows) if row[0] == "Rank")
        placed = (row for row in rows[titles + 1 :] if isinstance(row[0], int | float))
        return [row[1] for row in placed if row[1]]
