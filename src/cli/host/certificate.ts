/** The certificate of encrypted DNS: the configured one, or a self-signed one in the data directory. */
import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import type { SecureSocket } from "../../edge/workers/listening.ts";
import { writeWhole } from "../../lib/files.ts";
import { invalid } from "../../lib/problem.ts";
import { isWildcard } from "../../net/socket/address.ts";
import { type CertificateFiles, readCertificate } from "../../net/tls/certificate.ts";
import { makeSelfSigned } from "../../net/tls/self-signed.ts";
import { privileged } from "../user/become.ts";
import { makeDirectory } from "./directory.ts";

const day = 86_400_000;
const days = 3650;
/** A self-signed certificate that expires sooner is replaced at a start. */
const leastLeft = 30 * day;

/** Returns undefined without encrypted DNS. Throws a Problem that names the flag if the configured files are unusable. */
export async function provideCertificate(config: Config): Promise<CertificateFiles | undefined> {
  const { tlsCert: cert, tlsKey: key, dot, doh } = config;
  if ((cert === undefined) !== (key === undefined)) {
    const flag = cert === undefined ? "--tls-cert" : "--tls-key";
    throw invalid(`${flag} is required: a certificate and its key are configured together`, { key: flag });
  }
  if (dot.length + doh.length === 0) return undefined;
  if (cert === undefined || key === undefined) return await selfSigned(config);
  try {
    privileged(() => readCertificate({ cert, key }));
  } catch (error) {
    throw invalid(`--tls-cert: ${error instanceof Error ? error.message : String(error)}`, { key: "--tls-cert" });
  }
  return { cert, key };
}

export const secureSockets = ({ dot, doh }: Config): SecureSocket[] => [
  ...dot.map((endpoint) => ({ transport: "tls" as const, ...endpoint })),
  ...doh.map((endpoint) => ({ transport: "https" as const, ...endpoint })),
];

async function selfSigned(config: Config): Promise<CertificateFiles> {
  const { data, dot, doh } = config;
  const files = { cert: join(data, "tls-cert.pem"), key: join(data, "tls-key.pem") };
  if (isGood(files)) return files;
  makeDirectory(data);
  const addresses = [...dot, ...doh].map(({ address }) => address).filter((address) => !isWildcard(address));
  // loaded only here: its schema takes more memory than the rest of the supervisor
  const { networksOf } = await import("./networks.ts");
  const servers = privileged(() => networksOf(config)).flatMap(({ pools }) =>
    pools.flatMap(({ name_servers }) => name_servers),
  );
  const names = new Set([...servers, hostname(), ...addresses.map((address) => address.replace(/%.*/, ""))]);
  const now = Date.now();
  const made = makeSelfSigned({ names: [...names], from: new Date(now - day), to: new Date(now + days * day) });
  writeWhole(files.key, made.key);
  writeWhole(files.cert, made.cert);
  return files;
}

function isGood(files: CertificateFiles): boolean {
  if (!existsSync(files.cert) || !existsSync(files.key)) return false;
  readCertificate(files);
  return Date.parse(new X509Certificate(readFileSync(files.cert)).validTo) - Date.now() > leastLeft;
}
