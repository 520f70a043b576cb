/** Reading listings in parts: fewer rows than asked for if they are large. */

/** Rows that one statement read, in the order of the listing. */
export interface Part<Row> {
  readonly items: readonly Row[];
  /** Whether no rows follow. */
  readonly isLast: boolean;
}

/** Octets that one statement reads. Only the stored size is known, which compression makes smaller. */
export const mostOctets = 8 * 1024 * 1024;

/** SQL: the approximate octets of a column of JSON when it is read. */
export const sizeOf = (column: string) =>
  `pg_column_size(${column}) * case when pg_column_compression(${column}) is null then 1 else 10 end`;

/** SQL: the approximate octets of several columns together; of a null, 0. */
export const sizeOfAll = (columns: readonly string[]) =>
  columns.map((column) => `coalesce(${sizeOf(column)}, 0)`).join(" + ");

/**
 * Reads as many rows as one statement may. `sized` are the sizes of at most `limit` rows of the listing; `read` returns the
 * rows up to one of these. The first row is always read, however large it is.
 */
export async function readPart<Sized extends { readonly octets: number }, Row>(
  sized: readonly Sized[],
  limit: number,
  read: (last: Sized) => Promise<readonly Row[]>,
): Promise<Part<Row>> {
  let count = 0;
  for (let octets = 0; count < sized.length; count++) {
    octets += sized[count]!.octets;
    if (count > 0 && octets > mostOctets) break;
  }
  const last = sized[count - 1];
  if (!last) return { items: [], isLast: true };
  return { items: await read(last), isLast: count === sized.length && count < limit };
}
