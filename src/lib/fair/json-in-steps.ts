/** JSON of large values, composed in steps. Values are plain: no `toJSON`, no cycles. */
import type { LongWork } from "./yield.ts";

/** `JSON.stringify(value)`; with `work`, it gives way between the parts of a large value, and takes longer for a small one. */
export function jsonInSteps(value: object, work: LongWork | undefined): string | Promise<string> {
  return work ? inSteps(value, work) : JSON.stringify(value);
}

async function inSteps(value: object, work: LongWork): Promise<string> {
  let text = "";
  for (const piece of pieces(value)) {
    text += piece;
    if (work.isDue) await work.giveWay();
  }
  return text;
}

function* pieces(value: object): Generator<string> {
  const isList = Array.isArray(value);
  yield isList ? "[" : "{";
  let comma = "";
  for (const [name, field] of Object.entries(value)) {
    if (field === undefined && !isList) continue;
    const head = isList ? comma : `${comma}${JSON.stringify(name)}:`;
    comma = ",";
    if (hasObjects(field)) {
      yield head;
      yield* pieces(field);
    } else yield head + (JSON.stringify(field) ?? "null");
  }
  yield isList ? "]" : "}";
}

/** Whether a value has objects in it. Of a list only the first element counts: it is composed in steps, or as a whole. */
function hasObjects(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false;
  const fields = Array.isArray(value) ? value.slice(0, 1) : Object.values(value);
  return fields.some((field) => typeof field === "object" && field !== null);
}
