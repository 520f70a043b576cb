import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Problem } from "../../lib/problem.ts";
import { canonicalTarget } from "./path.ts";

describe("request targets", () => {
  const same: readonly [target: string, canonical: string][] = [
    ["/v1/zones/example.com/*.example.com/A?x=1", "/v1/zones/example.com/*.example.com/A?x=1"],
    ["/v1/zones/", "/v1/zones"],
    ["//v1///zones//", "/v1/zones"],
    ["/", "/"],
    ["", "/"],
    ["/v1/../alerting/v1/alerts", "/alerting/v1/alerts"],
    ["/v1/%2e%2E/alerting/./v1/alerts", "/alerting/v1/alerts"],
    ["/../../..", "/"],
    ["/v1/zones/%2A.example.com", "/v1/zones/*.example.com"],
    ["/v1/zones/%65xample.com", "/v1/zones/example.com"],
    ["/v1/zones/0%2F25.2.0.192.in-addr.arpa", "/v1/zones/0%2F25.2.0.192.in-addr.arpa"],
    ["/v1/zones/0%2f25.2.0.192.in-addr.arpa", "/v1/zones/0%2F25.2.0.192.in-addr.arpa"],
    ["/v1/zones/0%252f25.2.0.192.in-addr.arpa", "/v1/zones/0%2F25.2.0.192.in-addr.arpa"],
    ["/v1/zones/a%252e%252e", "/v1/zones/a%252e%252e"],
    ["/v1/zones/%2e%2e%2fx", "/v1/zones/..%2Fx"],
    ["/v1/zones/a;b", "/v1/zones/a;b"],
    ["/v1/zones/b\u00c3\u00bccher", "/v1/zones/b%C3%BCcher"],
    ["/v1/zones#fragment", "/v1/zones"],
    ["http://api.example.com:8080/v1/zones?a=/../b", "/v1/zones?a=/../b"],
    ["https://api.example.com", "/"],
  ];
  for (const [target, canonical] of same) {
    test(`${target} is ${canonical}`, () => expect(canonicalTarget(target)).toBe(canonical));
  }

  const wrong: readonly [target: string, status: number][] = [
    ["/v1/zones/%00", 400],
    ["/v1/zones/a%0ab", 400],
    ["/v1/zones/%7f", 400],
    ["/v1/zones/%ff", 400],
    ["/v1/zones/%c0%af", 400],
    ["/v1/zones/%", 400],
    ["/v1/zones/%zz", 400],
    [`/v1/${"a".repeat(16_384)}`, 414],
  ];
  for (const [target, status] of wrong) {
    test(`${target.slice(0, 30)} is ${status}`, () => {
      expect(() => canonicalTarget(target)).toThrow(expect.objectContaining({ status }));
    });
  }

  test("any segment survives the canonical spelling", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (segment) => {
        fc.pre(!/^\.\.?$|%2f|\p{Cc}/iu.test(segment) && segment.isWellFormed());
        const [, only] = canonicalTarget(`/${encodeURIComponent(segment)}`).split("/");
        expect(decodeURIComponent(only ?? "")).toBe(segment);
      }),
    );
  });

  test("a canonical target is unchanged, and random targets throw only Problems", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("/", ".", "%", "2", "f", "e", "a", "?", "\u00e9", "\t") }),
        (text) => {
          try {
            const canonical = canonicalTarget(`/${text}`);
            expect(canonicalTarget(canonical)).toBe(canonical);
          } catch (error) {
            expect(error).toBeInstanceOf(Problem);
          }
        },
      ),
    );
  });
});
