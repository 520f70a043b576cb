/** Fields of a record in words. */
import { expect, test } from "vitest";
import { fieldInWords } from "./field-in-words.ts";

test("entries of lists are counted from one, and other fields stay", () => {
  const fields = ["answers[1]", "filters[0].config", "answers", "ttl", "regions.answers[1]"];
  expect(fields.map(fieldInWords)).toEqual(["answer 2", "filter 1.config", "answers", "ttl", "regions.answers[1]"]);
});
