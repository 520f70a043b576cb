/** The committed document is the one that the routes yield. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { version } from "../../src/config/version.ts";
import { routes } from "../../src/control/index.ts";
import { apiInfo } from "../../src/control/start.ts";
import { openapiOf } from "../../src/http/openapi/openapi.ts";

test("docs/openapi.json is current (npm run openapi writes it)", () => {
  const committed: unknown = JSON.parse(readFileSync(resolve(import.meta.dirname, "../../docs/openapi.json"), "utf8"));
  expect(committed).toEqual(JSON.parse(JSON.stringify(openapiOf(routes, apiInfo(version)))));
});
