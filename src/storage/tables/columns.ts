/** Column types of several tables. */
import type { ColumnType } from "kysely";

/** A JSON document of type `json`, which preserves the text: keys keep their order. */
export type Json<T> = ColumnType<T, string, string>;
/** `bigint`, read as a number: serials, revisions, Unix seconds. */
export type Int8 = ColumnType<number, number | bigint, number | bigint>;
