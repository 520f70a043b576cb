/** Every change leaves an entry. */
import { expect, test } from "vitest";
import { routes } from "../index.ts";

/** Requests whose verb writes but that leave no entry, with the reason. */
const silent: Readonly<Record<string, string>> = {
  "POST /v1/feed/:id": "thousands per second, with values that are not configuration",
  "PUT /v1/export/zonefile/:zone": "only exports",
  "PUT /v1/lists": "lists are not built yet, and refused",
  "PUT /v1/monitoring/jobs": "jobs are not built yet, and refused",
  "POST /v1/explain": "only computes a reply",
  "PUT /v1/drafts": "a draft changes nothing, and only its user may see it",
  "POST /v1/drafts/:id": "the same",
  "DELETE /v1/drafts/:id": "the same",
  "POST /v1/zones/:zone/delegation": "only asks the parent, and keeps what it said",
  "PUT /v1/views": "a setting of a page, which only its user may see",
  "POST /v1/views/:id": "the same",
  "DELETE /v1/views/:id": "the same",
  "POST /v1/zones/:zone/claim": "writes entries in both accounts when a name moves, and none before",
};

/** The handlers of these routes find the user and write the entry themselves: `signin.slow.test.ts` tests all of them. */
const isSignInRoute = (route: (typeof routes)[number]) => route.path.startsWith("/v1/auth/") && route.ownTransaction;

test("every write declares its entry, or is listed as a request without an entry", () => {
  const writes = routes.filter((route) => route.method !== "GET" && !isSignInRoute(route));
  const without = writes.filter(({ log }) => log === undefined).map(({ method, path }) => `${method} ${path}`);
  expect(without.toSorted()).toEqual(Object.keys(silent).toSorted());
});

test("requests that only read leave no entry", () => {
  expect(routes.filter(({ method, log }) => method === "GET" && log !== undefined)).toEqual([]);
});
