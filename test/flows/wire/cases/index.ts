/** All odd queries, grouped by the odd part. */
import { edns } from "./edns.ts";
import { header } from "./header.ts";
import { names } from "./names.ts";
import { options } from "./options.ts";
import { questions } from "./question.ts";
import { types } from "./types.ts";

export const tables = { header, question: questions, "type and class": types, names, EDNS: edns, options };
