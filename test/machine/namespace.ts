/** Linux namespaces, for the machine that a test needs: a network or a file system of its own. Root is not needed. */
import { Daemon, output } from "./processes.ts";

/** In it, the user is root over what belongs to the namespace, so that an ordinary user may run the tests too. */
export class Namespace {
  /** The start of a command line: what follows it runs in the namespace. */
  readonly inside: readonly string[];
  /** The directory in `/proc` of a process in the namespace. */
  readonly proc: string;
  readonly #holder: Daemon;

  private constructor(holder: Daemon, kind: "net" | "mount") {
    this.#holder = holder;
    this.proc = `/proc/${holder.pid}`;
    const own = { net: `--net=${this.proc}/ns/net`, mount: `--mount=${this.proc}/ns/mnt` };
    this.inside = ["nsenter", "--preserve-credentials", `--user=${this.proc}/ns/user`, own[kind]];
  }

  /** Runs the commands of `setup` as a shell script, in a new namespace that lasts until `end`. */
  static async create(kind: "net" | "mount", setup: readonly string[]): Promise<Namespace> {
    const script = [...setup, "echo ready", "exec sleep 600"].join("; ");
    const holder = new Daemon("unshare", ["--user", "--map-root-user", `--${kind}`, "sh", "-ec", script]);
    await holder.until(() => holder.printed.includes("ready"));
    return new Namespace(holder, kind);
  }

  /** Starts a program in the namespace. */
  start(file: string, args: readonly string[]): Daemon {
    const [enter = "", ...rest] = this.inside;
    return new Daemon(enter, [...rest, file, ...args]);
  }

  /** Runs a program in the namespace, which must succeed, and returns its output. */
  output(file: string, args: readonly string[]): Promise<string> {
    const [enter = "", ...rest] = this.inside;
    return output(enter, [...rest, file, ...args]);
  }

  async end(): Promise<void> {
    await this.#holder.end();
  }
}
