"""The register's page in a browser: sorts, filters, opens a PDF, is used by keyboard and on a phone."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from registers import content_of, done, make, profile_text, seal

TITLES = ("Beta fleet", "alpha fleet", "Gamma <b>fleet</b>")


@pytest.fixture(scope="module")
def register(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Record 1 approved with a PDF, 2 proposed and overdue, 3 proposed and due ten days from today."""
    records = tmp_path_factory.mktemp("register") / "records"
    for title, formats in zip(TITLES, ("md,pdf", "md", "md"), strict=True):
        make(records, profile_text(title=f"'{title}'"), formats=formats)
    done("approve", "1", "--records", records, "--by", "Ada Lovelace", "--on", "2026-06-10")
    today = date.today()
    for number, due in ((1, today + timedelta(400)), (2, today - timedelta(5)), (3, today + timedelta(10))):
        folder = next(records.glob(f"{number:04d}-*"))
        content = content_of(folder)
        content["triggers"] = [
            {
                "kind": "date",
                "subject": "review",
                "due": due.isoformat(),
                "text": "The review date is reached.",
            }
        ]
        (folder / "record.json").write_bytes(seal(content))
    done("register", "--records", records)
    return records


@pytest.fixture(scope="module")
def chromium() -> Iterator[Callable[[str], Browser]]:
    if shutil.which("chromium") is None:  # before playwright's own driver is started, which needs as much
        pytest.skip("needs the tool chromium")
    with sync_playwright() as playwright:
        opened: list[Browser] = []

        def launch(path: str) -> Browser:
            if not opened:
                # Without a sandbox, which a container does not allow; the page is the project's own.
                opened.append(playwright.chromium.launch(executable_path=path, args=["--no-sandbox"]))
            return opened[0]

        yield launch
        for browser in opened:
            browser.close()


@pytest.fixture
def page(
    chromium: Callable[[str], Browser], register: Path, tool: Callable[[str], str]
) -> Iterator[Callable[..., Page]]:
    """Opens the page from the file system; anything in the console or from elsewhere is a fault."""
    browser = chromium(tool("chromium"))
    noticed: list[str] = []

    def open_page(width: int = 1280, height: int = 800) -> Page:
        opened = browser.new_page(viewport={"width": width, "height": height})
        opened.on("console", lambda message: noticed.append(message.text))
        opened.on("pageerror", lambda error: noticed.append(str(error)))
        # The request for a PDF ends where the viewer takes over.
        opened.on(
            "requestfailed", lambda request: request.url.endswith(".pdf") or noticed.append(request.url)
        )
        opened.on("request", lambda request: None if own(request.url) else noticed.append(request.url))
        opened.goto((register / "index.html").as_uri())
        return opened

    yield open_page
    assert noticed == []


def own(url: str) -> bool:
    """A file, or the browser's own PDF viewer."""
    return url.startswith(("file:", "chrome-extension:"))


def shown(page: Page) -> list[str]:
    """The numbers of the rows that are to be seen, from top to bottom."""
    rows = page.locator("#records tbody tr")
    visible = [row for row in rows.all() if row.is_visible()]
    return [row.locator('[data-key="number"]').inner_text() for row in visible]


def test_sorts_by_every_column_both_ways(page: Callable[..., Page]) -> None:
    opened = page()
    expected = {
        "No": ["0001", "0002", "0003"],
        "Record": ["0002", "0001", "0003"],  # alpha, Beta, Gamma
        "Status": ["0001", "0003", "0002"],  # approved; two proposed, in the order that they had
        "Look again": ["0002", "0003", "0001"],
    }
    for name, order in expected.items():
        button = opened.get_by_role("button", name=name, exact=True)
        button.click()
        assert shown(opened) == order, name
        head = opened.locator("th", has=button)
        assert head.get_attribute("aria-sort") == "ascending"
        if name != "Status":
            button.click()
            assert shown(opened) == order[::-1]
            assert head.get_attribute("aria-sort") == "descending"
        assert opened.locator("th[aria-sort]").count() == 1


def test_filters(page: Callable[..., Page]) -> None:
    opened = page()
    count = opened.get_by_role("status")
    assert count.inner_text() == "3 of 3 shown"
    search = opened.get_by_label("Find")
    search.fill("ALPHA")
    assert shown(opened) == ["0002"]
    assert count.inner_text() == "1 of 3 shown"
    search.fill("fleet gamma")
    assert shown(opened) == ["0003"]
    search.fill("nothing like it")
    assert shown(opened) == []
    opened.get_by_role("button", name="Show all").click()
    assert shown(opened) == ["0001", "0002", "0003"]
    opened.get_by_label("Status").select_option("approved")
    assert shown(opened) == ["0001"]
    opened.get_by_label("Status").select_option("")
    opened.get_by_label("Look again").select_option("0")
    assert shown(opened) == ["0002"]
    opened.get_by_label("Look again").select_option("30")
    assert shown(opened) == ["0002", "0003"]
    search.fill("alpha")
    assert shown(opened) == ["0002"]


def test_urgency_is_said_in_words(page: Callable[..., Page]) -> None:
    opened = page()
    words = [element.inner_text() for element in opened.locator(".when").all()]
    assert words == ["", "overdue", "in 10 days"]


def test_opens_the_pdf(page: Callable[..., Page], register: Path) -> None:
    opened = page()
    link = opened.get_by_role("link", name="PDF of record 0001")
    target = link.evaluate("element => element.href")
    assert target == (register / "0001-beta-fleet" / "record.pdf").as_uri()
    with opened.expect_event("framenavigated"):
        link.click()
    assert opened.url == target


def test_keyboard_alone(page: Callable[..., Page]) -> None:
    opened = page()
    seen = []
    for _ in range(40):
        opened.keyboard.press("Tab")
        seen.append(opened.evaluate("document.activeElement.id || document.activeElement.innerText"))
        if seen[-1] == "Record":
            break
    assert seen[:6] == ["reviews.ics", "search", "status", "due", "reset", "No"]
    outline = opened.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid"
    opened.keyboard.press("Enter")
    assert shown(opened) == ["0002", "0001", "0003"]
    opened.keyboard.press("Space")
    assert shown(opened) == ["0003", "0001", "0002"]


def test_phone(page: Callable[..., Page]) -> None:
    """Nothing is wider than the screen, what is touched is large enough, and it sorts and filters."""
    opened = page(width=360, height=740)
    assert opened.evaluate("document.documentElement.scrollWidth") <= 360
    for control in opened.locator("#filters input, #filters select, button").all():
        box = control.bounding_box()
        assert box is not None
        assert box["height"] >= 40
    assert shown(opened) == ["0001", "0002", "0003"]
    opened.get_by_role("button", name="Record", exact=True).click()
    opened.get_by_label("Find").fill("fleet")
    assert shown(opened) == ["0002", "0001", "0003"]
    label = opened.locator('td[data-key="owner"]').first.evaluate(
        "element => getComputedStyle(element, '::before').content"
    )
    assert label == '"Owner"'


def test_without_script_everything_is_there(
    chromium: Callable[[str], Browser], register: Path, tool: Callable[[str], str]
) -> None:
    context = chromium(tool("chromium")).new_context(java_script_enabled=False)
    opened = context.new_page()
    opened.goto((register / "index.html").as_uri())
    assert opened.locator("#records tbody tr").count() == 3
    assert not opened.locator("#filters").is_visible()
    context.close()


def test_markup_in_a_title_is_text(page: Callable[..., Page]) -> None:
    opened = page()
    assert opened.locator(".title").nth(2).inner_text() == "Gamma <b>fleet</b>"
    assert opened.locator("#records b").count() == 0


def test_many_records(tmp_path: Path, chromium: Callable[[str], Browser], tool: Callable[[str], str]) -> None:
    """500 rows are filtered and sorted; what is typed is never waited for long enough to be noticed."""
    records = tmp_path / "records"
    first = make(records)
    content = content_of(first)
    for number in range(2, 501):
        folder = records / f"{number:04d}-copy"
        folder.mkdir()
        (folder / "record.json").write_bytes(seal({**content, "number": number}))
    done("register", "--records", records)
    opened = chromium(tool("chromium")).new_page()
    opened.goto((records / "index.html").as_uri())
    assert opened.get_by_role("status").inner_text() == "500 of 500 shown"
    opened.get_by_label("Find").fill("0499")
    assert opened.get_by_role("status").inner_text() == "1 of 500 shown"
    opened.close()
