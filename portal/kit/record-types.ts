/** Facts about record types, from their listing in the API. */
import { useMemo } from "react";
import { type RecordTypes, useRecordTypes } from "./catalogues.ts";

export interface KnownTypes {
  readonly types: RecordTypes;
  /** Whether a type's only field is free text: an answer is then one part, with blanks. */
  isText(type: string): boolean;
  /** Whether a word is the name of a type. */
  has(type: string): boolean;
}

/** Types that are named by their number only. */
const numbered = /^TYPE\d{1,5}$/;

export function useKnownTypes(): KnownTypes {
  const types = useRecordTypes();
  return useMemo(() => knownTypes(types), [types]);
}

function knownTypes(types: RecordTypes): KnownTypes {
  const isText = (type: string) => {
    const fields = types[type]?.fields ?? [];
    return fields.length === 1 && fields[0]?.takes === "rest" && fields[0].type === "text";
  };
  return { types, isText, has: (type) => Object.hasOwn(types, type) || numbered.test(type) };
}
