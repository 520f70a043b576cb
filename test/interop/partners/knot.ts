/** Knot as a partner; as a primary it takes dynamic updates. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginning, type Command, keysOf, type Program, type Setup } from "./program.ts";
import { updated } from "./update.ts";

const head = (setup: Setup) => {
  const { directory, port } = setup;
  const keys = keysOf(setup).map(
    ({ name, algorithm, secret }) => `  - id: "${name}"\n    algorithm: ${algorithm}\n    secret: "${secret}"\n`,
  );
  return `server:
  rundir: "${directory}"
  listen: 127.0.0.1@${port}
database:
  storage: "${directory}/db"
  journal-db-mode: asynchronous
log:
  - target: stderr
    any: warning
${keys.length > 0 ? "key:\n" : ""}${keys.join("")}`;
};

const remotes = ({ ourPort, zones }: Setup) =>
  `remote:\n${zones.map(({ key }, i) => `  - id: r${i}\n    address: 127.0.0.1@${ourPort}\n${key ? `    key: "${key.name}"\n` : ""}`).join("")}`;

/** An access rule for each zone, named `a` with its number, and one rule for all zones, named `rest`. */
const rules = ({ zones }: Setup, own: string, rest: string) => {
  const each = zones.map(
    ({ key }, i) =>
      `  - id: a${i}\n    address: 127.0.0.1\n${key ? `    key: "${key.name}"\n` : ""}    action: ${own}\n`,
  );
  return `acl:\n  - id: rest\n    address: 127.0.0.1\n    action: ${rest}\n${each.join("")}`;
};

function run(setup: Setup, acl: string, partner: string): Command {
  const { directory, zones } = setup;
  const file = join(directory, "knot.conf");
  const blocks = zones.map(
    ({ zone }, i) =>
      `  - domain: "${zone}"\n    storage: "${directory}"\n    file: "${i}.db"\n    ${partner}: r${i}\n    acl: [rest, a${i}]\n`,
  );
  writeFileSync(file, `${head(setup)}${remotes(setup)}${acl}zone:\n${blocks.join("")}`);
  return ["/usr/sbin/knotd", "-c", file];
}

export const knot: Program = {
  secondary: async (setup) => run(setup, rules(setup, "notify", "transfer"), "master"),
  async primary(setup) {
    setup.zones.forEach(({ zone }, i) => {
      writeFileSync(join(setup.directory, `${i}.db`), beginning(zone));
    });
    return { command: run(setup, rules(setup, "transfer", "update"), "notify"), edit: updated(setup.port) };
  },
};
