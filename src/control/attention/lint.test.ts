/** When a zone is looked through for mistakes. */
import { expect, test } from "vitest";
import { lintDue } from "./lint.ts";
import type { CheckedZone } from "./zone-store.ts";

const zone: CheckedZone = {
  ...{ id: "z", zone: "a.example", serial: 5, is_secondary: false, is_own: true, expired: false, expiry: 1 },
  ...{ transfer: null, catalog_state: null, lint_serial: 5, lint_at: 1000, lint_took: 4 },
};

test("a zone is looked through when it is new, has changed, or after a day", () => {
  expect(lintDue({ ...zone, lint_serial: null, lint_at: null }, 1000)).toBe("now");
  expect(lintDue(zone, 1000 + 86_399)).toBe("no");
  expect(lintDue(zone, 1000 + 86_400)).toBe("now");
  expect(lintDue({ ...zone, serial: 6 }, 1010)).toBe("now");
});

test("a zone that changes all the time waits, the longer the more work it is", () => {
  expect(lintDue({ ...zone, serial: 6 }, 1009)).toBe("later");
  expect(lintDue({ ...zone, serial: 6, lint_took: 3000 }, 1059)).toBe("later");
  expect(lintDue({ ...zone, serial: 6, lint_took: 3000 }, 1060)).toBe("now");
});

test("a clock that was set back does not keep a zone waiting", () => {
  expect(lintDue(zone, 999)).toBe("now");
});

test("zones with records of other servers are not looked through", () => {
  expect(lintDue({ ...zone, is_own: false, serial: 6 }, 9000)).toBe("no");
});
