/** Hostile values that no client should send. */
import type { Draw } from "../../interop/differential/draw.ts";

/** Text that is written into JSON as it is; one character an octet. */
export class Raw {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const canary = "x-fuzz-canary";

const texts: readonly string[] = [
  ...[
    "",
    " ",
    "\t",
    "a\r\nx-fuzz-canary: 1",
    "a\0b",
    "\x1b[31m",
    "%s%n%d",
    "%00",
    "..",
    "../../etc/passwd",
    "%2e%2e%2f",
  ],
  ...[
    "__proto__",
    "constructor",
    "toString",
    "hasOwnProperty",
    "prototype",
    "__proto__.x",
    "length",
    "null",
    "undefined",
  ],
  ...[
    "NaN",
    "-1",
    "0",
    "1e3",
    "9007199254740993",
    "18446744073709551616",
    "0x10",
    "1.5",
    "true",
    "[]",
    "{}",
    "[object Object]",
  ],
  ...[
    "' or 1=1--",
    '"; drop table zone; --',
    "%",
    "_",
    "\\",
    "*",
    "**a*a*a*b",
    "$(id)",
    "{{7*7}}",
    "<script>alert(1)</script>",
  ],
  ...[
    "=1+1",
    "@SUM(1)",
    "ß",
    "ſ",
    "İ",
    "e\u0301",
    "\u00e9",
    "\u200d",
    "\u202e",
    "\u2028",
    "\ufeff",
    "\uff0e",
    "💩",
    "\u{10ffff}",
    "xn--",
    "xn--a",
    "xn--\u00df",
  ],
  ...[
    ".",
    "..a",
    "a..b",
    "-a",
    "a-",
    "_a",
    "a.",
    ".a",
    "a b",
    "\\000",
    "\\046",
    "\\256",
    "a\\",
    "127.1",
    "::ffff:127.0.0.1",
    "1.2.3.4/33",
  ],
  ...[
    "@",
    "*.*.a",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://127.0.0.1:1/",
    "30d",
    "-30d",
    "1970-01-01",
    "now-1d",
  ],
];

export function hostileText(draw: Draw): string {
  switch (draw.number(0, 11)) {
    case 0:
      return draw.pick(["x", "a.", "é", "*", "%", "\\", "-"]).repeat(draw.pick([64, 256, 300, 5000, 20_000]));
    case 1:
      return Array.from({ length: draw.number(1, 20) }, () => String.fromCodePoint(drawPoint(draw))).join("");
    case 2:
      return `${"a".repeat(63)}.`.repeat(4);
    default:
      return draw.pick(texts);
  }
}

/** No halves of surrogate pairs, which have no UTF-8. */
const drawPoint = (draw: Draw) =>
  draw.pick([draw.number(0, 0x7f), draw.number(0x80, 0xd7ff), draw.number(0xe000, 0x10ffff)]);

const numbers = [
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993",
  "-9007199254740993",
  "18446744073709551616",
  "-0",
  "0.1",
].concat(["2147483648", "4294967296", "65536", "1E5", "-1", `1${"0".repeat(400)}`, "0.30000000000000000000000000004"]);

/** A replacement for a value. */
export function hostileValue(draw: Draw): unknown {
  switch (draw.number(0, 9)) {
    case 0:
      return new Raw(draw.pick(numbers));
    case 1:
      return new Raw(
        draw.pick([
          '"\\ud800"',
          '"\\udc00\\ud800"',
          '"\\u0000"',
          '"\\ufeff"',
          '"\xff\xfe"',
          '"\xc0\xaf"',
          '"\xed\xa0\x80"',
        ]),
      );
    case 2:
      return nested(draw);
    case 3:
      return draw.pick([null, true, false, 0, [], {}, [[]], [{}], { a: {} }, [null], ""]);
    case 4:
      return Object.fromEntries(draw.some(texts, 4).map((name) => [name, draw.pick([null, 1, "x", {}, []])]));
    case 5:
      return new Raw(
        draw.pick(['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"a":1}}}', '{"a":1,"a":2}']),
      );
    case 6:
      return Array.from({ length: draw.pick([100, 2000, 11_000]) }, (_, index) => draw.pick([index, "x", null]));
    default:
      return hostileText(draw);
  }
}

function nested(draw: Draw): Raw {
  const depth = draw.pick([31, 32, 33, 1000, 100_000]);
  const [open, close] = draw.pick([
    ["[", "]"],
    ['{"a":', "}"],
  ] as const);
  return new Raw(`${open.repeat(depth)}1${close.repeat(draw.chance(0.8) ? depth : depth - 1)}`);
}

/** Names of undeclared keys and parameters. */
export const hostileName = (draw: Draw) =>
  draw.pick([...texts.slice(11, 20), "id", "zone", "key", "", "a\0b", "x".repeat(5000)]);

/** Headers in which something is wrong or unusual; values are octets. */
export function hostileHeader(draw: Draw): [name: string, value: string] {
  const odd = () =>
    draw.pick(["", " ", "*", "W/", '"', '"a', ",,,", "\xff\xfe", "k".repeat(300), "a".repeat(9000), "\x01", "\t"]);
  return draw.pick<() => [string, string]>([
    () => ["If-Match", odd()],
    () => ["If-None-Match", odd()],
    () => ["Idempotency-Key", odd()],
    () => [
      "Content-Type",
      draw.pick([
        "text/html",
        "multipart/form-data",
        "application/json;charset=utf-16",
        "multipart/form-data; boundary=a",
        odd(),
      ]),
    ],
    () => ["Content-Encoding", draw.pick(["gzip", "br", "identity", "gzip, gzip", odd()])],
    () => ["X-Forwarded-For", draw.pick(["127.0.0.1", "::1, 1.2.3.4", "unknown", "1.2.3.4:99", odd()])],
    () => ["X-Forwarded-Host", draw.pick(["evil.example", odd()])],
    () => ["X-HTTP-Method-Override", draw.pick(["DELETE", "TRACE", odd()])],
    () => ["Origin", draw.pick(["null", "https://evil.example", odd()])],
    () => ["X-CSRF-Token", odd()],
    () => ["Range", draw.pick(["bytes=0-", "bytes=-1", "bytes=0-0,0-0,0-0", odd()])],
    () => ["Accept", draw.pick(["*/*;q=9", "application/xml", odd()])],
    () => ["Cookie", `session=${odd()}; __proto__=1`],
    () => ["Authorization", draw.pick(["Basic Og==", "Bearer x", odd()])],
    () => ["Host", draw.pick(["", "evil.example:99999", "a b", odd()])],
    () => ["Connection", draw.pick(["close", "keep-alive", "x-service-key", odd()])],
    () => ["Upgrade", draw.pick(["websocket", "h2c", odd()])],
    () => ["X-SERVICE-Key", draw.pick(["wrong", odd()])],
    () => ["X-Filler", "f".repeat(draw.pick([1, 1000, 15_000, 40_000]))],
    () => ["TE", "trailers, chunked"],
  ])();
}

export const methods = [
  "TRACE",
  "PATCH",
  "OPTIONS",
  "HEAD",
  "PROPFIND",
  "QUERY",
  "LINK",
  "get",
  "FOO",
  "M-SEARCH",
  "CONNECT",
];
