/** The certificate of encrypted DNS, in two files: read at the start, and again whenever one of them has changed. */
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { createSecureContext } from "node:tls";
import { loop } from "../../lib/loop.ts";
import { invalid } from "../../lib/problem.ts";
import type { Certificate } from "./tls.ts";

/** Paths of PEM files. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
}

export interface FollowCertificateOptions {
  readonly onChange: (certificate: Certificate) => void;
  /** Called once for each reason, since the files stay as they are until somebody replaces them. */
  readonly onRefused: (reason: string) => void;
  /** Milliseconds between two looks at the files. */
  readonly every?: number;
}

/** Throws a Problem that names the file when it cannot be read, and both when they do not belong together. */
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

/** Calls `onChange` before it returns when the files can be read now. Otherwise the certificate before stays in use. */
export function followCertificate(files: CertificateFiles, options: FollowCertificateOptions): { close(): void } {
  let seen = "";
  const looking = loop({
    turn() {
      const now = [files.cert, files.key].map(stampOf).join(" ");
      if (now === seen) return;
      options.onChange(readCertificate(files));
      seen = now;
    },
    every: options.every ?? 2000,
    complain: (error) => options.onRefused(reasonOf(error)),
  });
  return { close: () => void looking.close() };
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
