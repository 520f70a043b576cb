/** The attributes by which table.module.css shows a row as a card; the roles are for browsers in which such a row is none. */
export const cardRow = { role: "row" } as const;

/** The attributes of a cell, by the place and the head of its column. A column without a head has the acts of the row. */
export const cardCell = (at: number, head: unknown) => ({
  role: "cell",
  ...(at === 0
    ? { "data-first": "" }
    : typeof head === "string" && head
      ? { "data-label": head }
      : { "data-acts": "" }),
});
