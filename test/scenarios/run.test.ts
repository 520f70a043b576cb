/** Runs every scenario in this folder: zones, a question, and the answer that its RFC section demands. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type Answer, TestImage } from "./image.ts";
import { parseScript, type Step } from "./script.ts";

const files = readdirSync(import.meta.dirname).filter((name) => name.endsWith(".scenario"));

test("there are scenarios", () => {
  expect(files.length).toBeGreaterThan(10);
});

for (const file of files) {
  const script = parseScript(readFileSync(join(import.meta.dirname, file), "utf8"));
  describe(`${file}: ${script.title}`, () => {
    const image = new TestImage();
    for (const { zone, records, ...states } of script.zones) image.put(zone, records, states);
    for (const step of script.steps) {
      test([step.question, ...step.options].join(" "), () => {
        expect(shown(ask(image, step))).toBe(step.expected);
        expect(image.faults).toEqual([]);
      });
    }
  });
}

function ask(image: TestImage, { question, options }: Step): Answer {
  const [name = "", type = ""] = question.split(" ");
  const udp = options.indexOf("udp");
  const edns = udp < 0 ? (options.includes("do") ? { edns: 1232 } : {}) : { edns: Number(options[udp + 1]) };
  const asked = { name, type, dnssecOk: options.includes("do"), ...edns };
  return image.ask(asked, options.includes("tcp") ? "tcp" : "udp");
}

function shown(answer: Answer): string {
  const section = (name: "answer" | "authority" | "additional") =>
    answer[name].length === 0 ? [] : [name, ...answer[name].map((line) => `  ${line}`)];
  const status = [answer.rcode, ...answer.flags].join(" ");
  return [status, ...section("answer"), ...section("authority"), ...section("additional")].join("\n");
}
