/**
 * Makes the Debian package for this machine's architecture: `npm run deb [DIRECTORY]`. Needs dpkg-deb, and the packages
 * of `npm ci`. It has Node and PostgreSQL in it (docs/adr/0039-a-debian-package-with-everything.md).
 */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { version } from "../src/config/version.ts";
import { run, tree } from "../test/programs.ts";
import { neededPackages } from "./packages.ts";

const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };
const architecture = architectures[process.arch];
if (architecture === undefined) throw new Error(`there is no package for ${process.arch}: only for x64 and arm64`);

const target = resolve(process.argv[2] ?? tree, `fairlead_${version}_${architecture}.deb`);
const root = mkdtempSync(join(tmpdir(), "fairlead-deb-"));
const parts = join(import.meta.dirname, "debian");

try {
  await must("node", join(import.meta.dirname, "emit.ts"));
  await fill();
  control();
  // files belong to root whoever makes the package, and others can read them whatever this user's umask is
  await must("chmod", "-R", "u+rwX,go=rX", root);
  await must("chmod", "0755", ...["postinst", "prerm", "postrm"].map((name) => join(root, "DEBIAN", name)));
  await must("dpkg-deb", "--root-owner-group", "-Zzstd", "--build", root, target);
  process.stdout.write(`${target}\n`);
} finally {
  rmSync(root, { recursive: true, force: true });
}

async function fill(): Promise<void> {
  const lib = join(root, "usr/lib/fairlead");
  mkdirSync(lib, { recursive: true });
  await must("cp", "-a", "--parents", "bin", "dist", "package.json", ...neededPackages(), lib);
  // of Node, only the program is needed
  const node = join("node_modules", `node-linux-${process.arch}`);
  for (const name of ["include", "share", "CHANGELOG.md"])
    rmSync(join(lib, node, name), { recursive: true, force: true });
  mkdirSync(join(lib, "node_modules/.bin"));
  symlinkSync(join("..", `node-linux-${process.arch}`, "bin/node"), join(lib, "node_modules/.bin/node"));
  put("fairlead", "usr/bin/fairlead");
  await must("chmod", "0755", join(root, "usr/bin/fairlead"));
  put("fairlead.json", "etc/fairlead/fairlead.json");
  put("sysusers.conf", "usr/lib/sysusers.d/fairlead.conf");
  put("tmpfiles.conf", "usr/lib/tmpfiles.d/fairlead.conf");
  for (const unit of ["fairlead", "fairlead-control", "fairlead-edge"]) {
    put(`${unit}.service`, `usr/lib/systemd/system/${unit}.service`);
  }
  const doc = join(root, "usr/share/doc/fairlead");
  cpSync(join(tree, "docs"), doc, { recursive: true, filter: (path) => !path.endsWith("openapi.json") });
  for (const name of ["README.md", "CHANGELOG.md"]) cpSync(join(tree, name), join(doc, name));
  cpSync(join(tree, "LICENSE"), join(doc, "copyright"));
}

function control(): void {
  for (const name of ["postinst", "prerm", "postrm", "conffiles"]) put(name, join("DEBIAN", name));
  const fields = {
    Package: "fairlead",
    Version: version,
    Architecture: architecture,
    Maintainer: "Fairlead <fairlead@localhost>",
    Section: "net",
    Priority: "optional",
    // systemd makes the user and the directories
    Depends: "libc6 (>= 2.28), libstdc++6, libgcc-s1, systemd | systemd-standalone-sysusers, init-system-helpers",
    Description: "managed DNS that anyone can run\n An authoritative DNS server and the REST API that manages it.",
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  writeFileSync(join(root, "DEBIAN/control"), lines.join(""));
}

function put(name: string, path: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  cpSync(join(parts, name), join(root, path));
}

async function must(program: string, ...args: readonly string[]): Promise<void> {
  const { code, printed } = await run(program, args);
  if (code !== 0) throw new Error(`${program} ended with ${code}:\n${printed}`);
}
