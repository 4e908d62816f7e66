"use strict";
(function () {
  const body = document.querySelector("#records tbody");
  const rows = Array.from(body.rows);
  const search = document.getElementById("search");
  const status = document.getElementById("status");
  const due = document.getElementById("due");
  const DAY = 24 * 60 * 60 * 1000;

  // Days from today to an ISO date, both taken as whole days; null where there is none.
  function daysTo(text) {
    if (!text) { return null; }
    const now = new Date();
    return Math.round((Date.parse(text) - Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())) / DAY);
  }

  function text(row, key) {
    return row.querySelector('[data-key="' + key + '"]').textContent.trim();
  }

  for (const row of rows) {
    const days = daysTo(row.dataset.due);
    if (days === null) { continue; }
    if (days <= 0) { row.dataset.urgency = "overdue"; }
    else if (days <= 30) { row.dataset.urgency = "soon"; }
    const when = days < 0 ? "overdue" : days === 0 ? "today" : days <= 30 ? "in " + days + (days === 1 ? " day" : " days") : "";
    row.querySelector(".when").textContent = when;
  }

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of rows) {
      const content = row.textContent.toLowerCase();
      const days = daysTo(row.dataset.due);
      const visible = words.every((word) => content.includes(word))
        && (!status.value || row.dataset.status === status.value)
        && (due.value === "" || (days !== null && days <= Number(due.value)));
      row.hidden = !visible;
      if (visible) { shown += 1; }
    }
    document.getElementById("count").textContent = shown + " of " + rows.length + " shown";
  }

  // Records without a date stand last, whichever way the dates are sorted.
  function compare(one, other, key, factor) {
    const first = key === "due" ? one.dataset.due : text(one, key);
    const second = key === "due" ? other.dataset.due : text(other, key);
    if (!first || !second) { return (first ? 0 : 1) - (second ? 0 : 1); }
    return factor * first.localeCompare(second, "en", { numeric: true });
  }

  function sort(head) {
    const descending = head.getAttribute("aria-sort") === "ascending";
    for (const other of head.parentNode.cells) { other.removeAttribute("aria-sort"); }
    head.setAttribute("aria-sort", descending ? "descending" : "ascending");
    rows.sort((one, other) => compare(one, other, head.dataset.key, descending ? -1 : 1));
    body.append(...rows);
  }

  for (const head of document.querySelectorAll("th[data-key]")) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = head.textContent;
    button.addEventListener("click", () => sort(head));
    head.replaceChildren(button);
  }
  for (const control of [search, status, due]) { control.addEventListener("input", filter); }
  document.getElementById("reset").addEventListener("click", () => {
    search.value = ""; status.value = ""; due.value = "";
    filter();
    search.focus();
  });
  document.getElementById("filters").hidden = false;
  filter();
})();
