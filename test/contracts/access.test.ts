/** The permissions to paste from docs/guides/keys.md grant no more than the guide says. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { isGranted } from "../../src/control/access/permissions.ts";
import { rightNames } from "../../src/control/access/rights.ts";

test("the permissions to paste grant nothing outside of dns", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/guides/keys.md"), "utf8");
  const denials = JSON.parse(`{${/^NOTHING_ELSE='([^']*)'$/m.exec(page)?.[1]}}`);
  const granted = rightNames.filter((right) => isGranted(denials, right));
  expect(granted).toEqual(["dns.manage_zones", "dns.view_zones"]);
});
