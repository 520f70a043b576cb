/** The record types that can be written, from their listing in the API. */
import { useMemo } from "react";
import type { Reply } from "../api/client.ts";
import { useRead } from "./api.ts";

export type RecordTypes = Reply<"GET /v1/recordtypes">["data"];

export interface KnownTypes {
  readonly types: RecordTypes;
  /** Whether a type's only field is free text: an answer is then one part, with blanks. */
  isText(type: string): boolean;
  /** Whether a word is the name of a type. */
  has(type: string): boolean;
}

/** Types that are named by their number only. */
const numbered = /^TYPE\d{1,5}$/;

export function useRecordTypes(): KnownTypes {
  const { data } = useRead("GET /v1/recordtypes");
  return useMemo(() => knownTypes(data?.data ?? {}), [data]);
}

export function knownTypes(types: RecordTypes): KnownTypes {
  const isText = (type: string) => {
    const fields = types[type]?.fields ?? [];
    return fields.length === 1 && fields[0]?.takes === "rest" && fields[0].type === "text";
  };
  return { types, isText, has: (type) => Object.hasOwn(types, type) || numbered.test(type) };
}
