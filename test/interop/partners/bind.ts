/** BIND's named as a partner; as a primary it takes dynamic updates. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beginning, type Command, keysOf, type Program, type Setup } from "./program.ts";
import { updated } from "./update.ts";

export const bindKeys = (setup: Setup) =>
  keysOf(setup)
    .map(({ name, algorithm, secret }) => `key "${name}" { algorithm ${algorithm}; secret "${secret}"; };`)
    .join("\n");

// with default rates, queued zones would wait for up to a second
export const bindOptions = ({ directory, port }: Setup, rest = "") => `
options {
  directory "${directory}"; pid-file none; session-keyfile none; managed-keys-directory "${directory}";
  listen-on port ${port} { 127.0.0.1; }; listen-on-v6 { none; };
  recursion no; dnssec-validation no; minimal-responses yes; ${rest}
  check-names primary ignore; check-names secondary ignore;
  notify-delay 0; notify-rate 1000; startup-notify-rate 1000; serial-query-rate 1000;
};
controls {};
`;

function run(setup: Setup, zones: readonly string[]): Command {
  const options = bindOptions(setup, "allow-transfer { any; };");
  return runNamed(setup, [bindKeys(setup), options, ...zones].join("\n"));
}

export function runNamed({ directory }: Setup, text: string): Command {
  const file = join(directory, "named.conf");
  writeFileSync(file, text);
  return ["/usr/sbin/named", "-g", "-c", file];
}

export const bind: Program = {
  async secondary(setup) {
    const zones = setup.zones.map(
      ({ zone, key }, i) => `zone "${zone}" { type secondary; file "${i}.db"; notify no;
        primaries { 127.0.0.1 port ${setup.ourPort}${key ? ` key "${key.name}"` : ""}; }; };`,
    );
    return run(setup, zones);
  },
  async primary(setup) {
    const zones = setup.zones.map(({ zone, key }, i) => {
      writeFileSync(join(setup.directory, `${i}.db`), beginning(zone));
      const by = key ? ` key "${key.name}"` : "";
      return `zone "${zone}" { type primary; file "${i}.db"; allow-update { 127.0.0.1; }; notify explicit;
        also-notify { 127.0.0.1 port ${setup.ourPort}${by}; };
        allow-transfer { ${key ? by : "any"}; }; };`;
    });
    return { command: run(setup, zones), edit: updated(setup.port) };
  },
};
