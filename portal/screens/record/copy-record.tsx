/** Copies a record as a call of the API, as lines of a zone file, and as a Terraform resource. */
import { CopyAs, curlOf } from "../../kit/copy-as.tsx";
import type { RecordPath } from "./editor.tsx";
import { bodyOf, type Edited, type Meta } from "./model.ts";

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
function terraformOf({ zone, domain, type }: RecordPath, { ttl, answers, regions, meta, filters }: Edited): string {
  return [
    `resource "ns1_record" ${quoted(`${domain}_${type}`.replace(/\W/g, "_"))} {`,
    `  zone   = ${quoted(zone)}`,
    `  domain = ${quoted(domain)}`,
    `  type   = ${quoted(type)}`,
    `  ttl    = ${ttl}`,
    ...metaLines(meta, "  "),
    ...Object.entries(regions).map(([name, region]) =>
      blockOf("regions", [`    name = ${quoted(name)}`, ...metaLines(region.meta, "    ")]),
    ),
    ...answers.map(({ answer, region, meta: own }) => {
      const group = region === undefined ? [] : [`    region = ${quoted(region)}`];
      return blockOf("answers", [`    answer = ${quoted(answer.join(" "))}`, ...group, ...metaLines(own, "    ")]);
    }),
    ...filters.map(({ filter, config = {}, disabled }) => {
      const settings = Object.entries(config).map(([key, value]) => `${key} = ${quoted(value)}`);
      const own = settings.length === 0 ? [] : [`    config = { ${settings.join(", ")} }`];
      return blockOf("filters", [
        `    filter = ${quoted(filter)}`,
        ...(disabled ? ["    disabled = true"] : []),
        ...own,
      ]);
    }),
    "}",
  ].join("\n");
}

/** JSON, with the signs of Terraform's templates as text. */
const quoted = (value: unknown) => JSON.stringify(value).replaceAll("${", "$${").replaceAll("%{", "%%{");

const blockOf = (name: string, lines: readonly string[]) => [`  ${name} {`, ...lines, "  }"].join("\n");

/** Metadata as the provider takes it: a list is one text, and an object, such as the feed of a value, is JSON. */
function metaLines(meta: Meta | undefined, indent: string): string[] {
  const entries = Object.entries(meta ?? {});
  if (entries.length === 0) return [];
  const lines = entries.map(([key, value]) => {
    const isFlat = typeof value !== "object" || value === null;
    const text = isFlat
      ? quoted(value)
      : Array.isArray(value)
        ? quoted(value.join(","))
        : `jsonencode(${quoted(value)})`;
    return `${indent}  ${key} = ${text}`;
  });
  return [`${indent}meta = {`, ...lines, `${indent}}`];
}
