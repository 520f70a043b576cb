/** Copies a record as a call of the API, as lines of a zone file, and as a Terraform resource. */
import { CopyAs, curlOf } from "../../kit/copy-as.tsx";
import type { RecordPath } from "./editor.tsx";
import { bodyOf, type Edited } from "./model.ts";

export function CopyRecord({ path, edited }: { readonly path: RecordPath; readonly edited: Edited }) {
  const { zone, domain, type } = path;
  const body = { zone, domain, type, ...bodyOf(edited) };
  const forms = [
    { name: "curl", text: () => curlOf("PUT", `/v1/zones/${zone}/${domain}/${type}`, body) },
    { name: "zone file", text: () => zoneFileLines(path, edited) },
    { name: "API JSON", text: () => JSON.stringify(body, undefined, 2) },
    { name: "Terraform", text: () => terraformOf(path, edited) },
  ];
  return <CopyAs forms={forms} />;
}

const quotedTypes = new Set(["TXT", "SPF"]);

function zoneFileLines({ domain, type }: RecordPath, { ttl, answers }: Edited): string {
  const part = (text: string) => (quotedTypes.has(type) ? `"${text.replace(/(["\\])/g, "\\$1")}"` : text);
  return answers
    .map(({ answer }) => `${domain}. ${ttl} IN ${type} ${answer.map((one) => part(String(one))).join(" ")}`)
    .join("\n");
}

/** A resource of the provider that clients of this API use. */
function terraformOf({ zone, domain, type }: RecordPath, { ttl, answers, filters }: Edited): string {
  const text = (value: unknown) => JSON.stringify(value);
  return [
    `resource "ns1_record" ${text(`${domain}_${type}`.replace(/\W/g, "_"))} {`,
    `  zone   = ${text(zone)}`,
    `  domain = ${text(domain)}`,
    `  type   = ${text(type)}`,
    `  ttl    = ${ttl}`,
    ...answers.map(({ answer, region }) => {
      const group = region === undefined ? "" : `\n    region = ${text(region)}`;
      return `  answers {\n    answer = ${text(answer.join(" "))}${group}\n  }`;
    }),
    ...filters.map(({ filter, config = {}, disabled }) => {
      const settings = Object.entries(config).map(([key, value]) => `${key} = ${text(value)}`);
      const own = settings.length === 0 ? "" : `\n    config = { ${settings.join(", ")} }`;
      return `  filters {\n    filter   = ${text(filter)}${disabled ? "\n    disabled = true" : ""}${own}\n  }`;
    }),
    "}",
  ].join("\n");
}
