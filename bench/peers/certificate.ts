/** A self-signed certificate for servers with TLS. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

export function certificateIn(directory: string): { readonly certificate: string; readonly key: string } {
  const [certificate, key] = [join(directory, "certificate.pem"), join(directory, "key.pem")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=bench"];
  const args = ["req", "-x509", ...kind, "-keyout", key, "-out", certificate, "-days", "30"];
  execFileSync("openssl", args, { stdio: "ignore" });
  return { certificate, key };
}
