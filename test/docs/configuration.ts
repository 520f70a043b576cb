/** docs/reference/configuration.md, made from the table of keys. */
import { type Key, keys } from "../../src/config/keys.ts";
import { table } from "./table.ts";

const readers = { control: "control", edge: "edge", serve: "`serve`" } as const;

export const configurationPage = () => `# Configuration

\`npm run docs\` writes this page from \`src/config/keys.ts\`; \`fairlead serve --help\` prints the same keys.

Flags win over environment variables, and variables win over the JSON file that \`--config FILE\` names.
A key's name in the file is its flag without the dashes: \`{"data": "/var/lib/fairlead", "dns": ["192.0.2.53:53"]}\`.
An unknown key or a bad value stops the start with a message that names it.

- A flag marked "list" may be given several times, or once with commas. In the file it is a list.
- \`fairlead control\` and \`fairlead edge\` refuse flags that only the other one reads, and name the command that reads them. In variables and the file such keys are ignored, so both can share them.
- \`fairlead reload\` applies keys marked "reload" without losing a query. The others need a restart.

${table(["flag", "variable", "default", "meaning", ""], Object.values(keys).map(rowOf))}`;

function rowOf(key: (typeof keys)[keyof typeof keys]): string[] {
  const { flag, value, env, otherwise, desc, repeat, role, reloads }: Omit<Key<unknown>, "parse" | "fallback"> = key;
  const notes = [repeat && "list", role && `only ${readers[role]}`, reloads && "reload"];
  return [`\`${flag} ${value}\``, `\`${env}\``, otherwise, desc, notes.filter(Boolean).join(", ")];
}
