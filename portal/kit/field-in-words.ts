/** A field of a record as people count: `answers[1]` is "answer 2". */
import { kitTexts } from "../text/kit.ts";

export const fieldInWords = (field: string): string =>
  field.replace(/^(answers|filters)\[(\d+)\]/, (_, list: "answers" | "filters", at: string) =>
    kitTexts.entry(list, Number(at) + 1),
  );
