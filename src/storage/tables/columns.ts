/** Kinds of columns that many tables have. */
import type { ColumnType } from "kysely";

/** A JSON document kept as text-preserving `json`: keys come back in the order in which they were sent. */
export type Json<T> = ColumnType<T, string, string>;
/** `bigint`, read as a number: serials, revisions, Unix seconds. */
export type Int8 = ColumnType<number, number | bigint, number | bigint>;
