/** Bodies that a thread checks. */
import { afterAll, expect, test, vi } from "vitest";
import { parseJson } from "./json.ts";
import { BodyParser, mostAtOnce } from "./parser.ts";

const parser = new BodyParser();
afterAll(() => parser.close());

const limits = { depth: 32, values: 250_000, keys: 10_000 };
const parse = async (text: string | Buffer, account = "a") =>
  await parser.parse(Buffer.from(text), limits, account, "192.0.2.1");

test("a large body has the same value and octets as one that is parsed at once", async () => {
  const document = { ü: "a".repeat(mostAtOnce), list: [1, null, { __proto__: 1 }] };
  const octets = Buffer.from(JSON.stringify(document));
  const { value, octets: back } = await parser.parse(Buffer.from(octets), limits, "a", "192.0.2.1");
  expect(value).toEqual(parseJson(octets));
  expect(Buffer.from(back).equals(octets)).toBe(true);
});

test("octets within a larger memory are left as they are", async () => {
  const memory = Buffer.from(`[${"1,".repeat(mostAtOnce)}1] and more`);
  const { value } = await parser.parse(memory.subarray(0, -9), limits, "a", "192.0.2.1");
  expect(value).toHaveLength(mostAtOnce + 1);
  expect(memory.toString("latin1", memory.length - 4)).toBe("more");
});

test.for<[string, string | Buffer, string, string]>([
  ["too many values", "[],".repeat(1_000_000), "JSON has more than 250000 values", ""],
  [
    "a NUL at its end",
    `{"a":"${"x".repeat(mostAtOnce)}","b":["\\u0000"]}`,
    "a string contains a NUL character",
    "b[0]",
  ],
  ["broken text", `["${"x".repeat(mostAtOnce)}"`, "the body is not valid JSON", ""],
])("a large body with %s is refused like a small one", async ([, text, message, field]) => {
  const refusal = await parse(text).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: "invalid", message: expect.stringContaining(message) });
  if (field !== "") expect(refusal).toMatchObject({ details: { field } });
});

test("this thread parses nothing of a large body that is refused", async () => {
  const octets = Buffer.from(`[${"[1],".repeat(120_000)}"\\u0000"]`);
  const parsing = vi.spyOn(JSON, "parse");
  try {
    await expect(parse(octets)).rejects.toThrow("a string contains a NUL character");
    expect(parsing).not.toHaveBeenCalled();
  } finally {
    parsing.mockRestore();
  }
});

test("accounts that wait take turns", async () => {
  const order: string[] = [];
  const body = `["${"x".repeat(mostAtOnce)}"]`;
  const sent = ["a", "a", "a", "a", "b", "b"].map((account) => parse(body, account).then(() => order.push(account)));
  await Promise.all(sent);
  expect(order).toEqual(["a", "a", "b", "a", "b", "a"]);
});

test("after a failure of the thread, the next body is checked by another", async () => {
  const failing = parser.parse(Buffer.alloc(mostAtOnce + 1, "["), null as never, "a", "192.0.2.1");
  await expect(failing).rejects.toThrow("the thread that checks bodies failed");
  expect((await parse(`["${"x".repeat(mostAtOnce)}"]`)).value).toHaveLength(1);
});
