for (const table of document.querySelectorAll("table.sortable")) {
  const body = table.tBodies[0], heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    const button = document.createElement("button");
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const rising = head.ariaSort === "descending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.ariaSort = rising ? "ascending" : "descending";
      const value = (row) => row.cells[column].dataset.key;
      const compare = (a, b) => value(a) === undefined || value(b) === undefined
        ? b.cells[column].textContent.localeCompare(a.cells[column].textContent)
        : value(b) - value(a);
      body.append(...[...body.rows].sort((a, b) => rising ? compare(b, a) : compare(a, b)));
    });
  });
}
