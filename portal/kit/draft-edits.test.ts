/** The edits of a draft. */
import { expect, test } from "vitest";
import { type Edit, withEdits, withoutEdits } from "./draft-edits.ts";

const edit = (action: Edit["action"], domain: string, ttl?: number): Edit => ({
  ...{ action, zone: "example.com", domain, type: "A" },
  ...(ttl !== undefined && { ttl }),
});
const known = [edit("create", "new.example.com", 60), edit("update", "www.example.com", 60)];

test("a later edit of a record takes the place of the earlier one", () => {
  expect(withEdits(known, [edit("update", "www.example.com", 5)])).toEqual([
    ...[edit("create", "new.example.com", 60), edit("update", "www.example.com", 5)],
  ]);
});

test("a record that only the draft has is forgotten when it is deleted; others are deleted", () => {
  const deleted = ["new.example.com", "www.example.com"].map((domain) => edit("delete", domain));
  expect(withEdits(known, deleted)).toEqual([edit("delete", "www.example.com")]);
});

test("edits are dropped by their records", () => {
  expect(withoutEdits(known, [edit("delete", "www.example.com")])).toEqual([known[0]]);
});
