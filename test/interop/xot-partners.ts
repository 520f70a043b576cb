/** BIND and NSD as partners that transfer zones over TLS (RFC 9103). */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "../../src/net/tls/tls.ts";
import { bindKeys, bindOptions, runNamed } from "./partners/bind.ts";
import { runNsd } from "./partners/nsd.ts";
import { beginning, type Prepare, type Setup } from "./partners/program.ts";

/** The partner's requirements: our certificate, and a name in it. */
export interface Ours {
  /** Path of a PEM file. */
  readonly cert: string;
  readonly name: string;
}

/** The partner's TLS endpoint and name. */
export interface Theirs {
  readonly port: number;
  readonly certificate: Certificate;
}

/** `ourPort` is our port for TLS. */
export const bindAsSecondary =
  ({ cert, name }: Ours): Prepare =>
  async (setup) => {
    const tls = `tls ours { ca-file "${cert}"; remote-hostname "${name}"; protocols { TLSv1.3; }; };`;
    const zones = setup.zones.map(
      ({ zone, key }, i) => `zone "${zone}" { type secondary; file "${i}.db"; notify no;
        primaries { 127.0.0.1 port ${setup.ourPort}${key ? ` key "${key.name}"` : ""} tls ours; }; };`,
    );
    const options = bindOptions(setup, "allow-transfer { any; };");
    return runNamed(setup, [bindKeys(setup), tls, options, ...zones].join("\n"));
  };

/** Zones accept dynamic updates and are transferred over TLS only. */
export const bindAsPrimary =
  ({ port, certificate }: Theirs): Prepare =>
  async (setup) => {
    const { cert, key } = writeCertificate(setup, certificate);
    const tls = `tls own { cert-file "${cert}"; key-file "${key}"; };`;
    const zones = setup.zones.map(({ zone, key: signing }, i) => {
      writeFileSync(join(setup.directory, `${i}.db`), beginning(zone));
      return `zone "${zone}" { type primary; file "${i}.db"; allow-update { 127.0.0.1; }; notify explicit;
        also-notify { 127.0.0.1 port ${setup.ourPort}${signing ? ` key "${signing.name}"` : ""}; };
        allow-transfer port ${port} transport tls { ${signing ? `key "${signing.name}"` : "any"}; }; };`;
    });
    const options = bindOptions(setup, `listen-on port ${port} tls own { 127.0.0.1; };`);
    return runNamed(setup, [bindKeys(setup), tls, options, ...zones].join("\n"));
  };

export const nsdAsSecondary =
  ({ cert, name }: Ours): Prepare =>
  async (setup) => {
    const auth = `tls-auth:\n  name: ours\n  auth-domain-name: "${name}"\n`;
    const zones = setup.zones.map(({ zone, key }, i) => {
      const by = key?.name ?? "NOKEY";
      return `zone:\n  name: "${zone}"\n  zonefile: "${i}.db"\n  allow-notify: 127.0.0.1 ${by}\n  request-xfr: 127.0.0.1@${setup.ourPort} ${by} ours\n  provide-xfr: 127.0.0.1 NOKEY\n`;
    });
    return runNsd(setup, [auth, ...zones], `  tls-cert-bundle: "${cert}"\n`);
  };

function writeCertificate({ directory }: Setup, { cert, key }: Certificate) {
  const files = { cert: join(directory, "cert.pem"), key: join(directory, "key.pem") };
  writeFileSync(files.cert, cert);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}
