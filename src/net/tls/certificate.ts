/** The certificate of encrypted DNS, in two files: read at the start, and again whenever one of them changes. */
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { type Loop, loop } from "../../lib/loop.ts";
import { invalid } from "../../lib/problem.ts";
import type { Certificate } from "./tls.ts";

/** The paths of PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface FollowCertificateOptions {
  readonly onChange: (certificate: Certificate) => void;
  /** Called once for each reason, since the files stay wrong until they are replaced. */
  readonly onRefused: (reason: string) => void;
  /** Milliseconds between two checks of the files. */
  readonly every?: number;
}

/** Throws a Problem that names an unreadable file, or both files when they do not match. */
export function readCertificate(files: CertificateFiles): Certificate {
  const certificate = { cert: text(files.cert), key: text(files.key) };
  try {
    new X509Certificate(certificate.cert);
    createSecureContext(certificate);
  } catch (error) {
    throw invalid(`${files.cert} and ${files.key} are not a certificate and its key in PEM (${reasonOf(error)})`);
  }
  return certificate;
}

/** Calls `onChange` at once if the files are valid, and after each change to valid files. */
export function followCertificate(files: CertificateFiles, options: FollowCertificateOptions): Loop {
  let seen = "";
  return loop({
    turn() {
      const now = [files.cert, files.key].map(stampOf).join(" ");
      if (now === seen) return;
      options.onChange(readCertificate(files));
      seen = now;
    },
    every: options.every ?? 2000,
    complain: (error) => options.onRefused(reasonOf(error)),
  });
}

function stampOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  return `${mtimeMs} ${size} ${ino}`;
}

function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw invalid(`${path} cannot be read (${reasonOf(error)})`);
  }
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
