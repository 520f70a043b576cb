/** The attributes by which table.module.css shows a row as a card; the roles are for browsers in which such a row is none. */
export const cardRow = { role: "row" } as const;

/** Of the cell of the column `at` with this head; one without a text has the acts. */
export const cardCell = (at: number, head: unknown) => ({
  role: "cell",
  ...(at === 0
    ? { "data-first": "" }
    : typeof head === "string" && head
      ? { "data-label": head }
      : { "data-acts": "" }),
});
