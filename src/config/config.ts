/** Reads the configuration by the table of keys: flags win over environment variables, which win over a file. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { type Command, Option } from "commander";
import { invalid } from "../lib/problem.ts";
import { isObject } from "../lib/values.ts";
import { type Key, keys, type many, type Role } from "./keys.ts";

type Keys = typeof keys;
export type Config = Values & { readonly given: GivenKeys };
type Values = {
  readonly [K in keyof Keys]: Keys[K] extends { repeat: true; parse: (text: string) => infer T }
    ? readonly T[]
    : Keys[K] extends Key<infer T>
      ? T
      : never;
};

/** What was given for a key, and where; no values of a secret. */
export interface GivenKey {
  readonly source: "file" | "environment" | "flag";
  readonly values: readonly string[];
}

/** By the name of the key; keys with their defaults are left out. */
export type GivenKeys = Readonly<Record<string, GivenKey>>;

/**
 * The configuration of a running service after a reload: `next` for the keys that a reload can change, `now` for all
 * other keys. `left` lists the flags of changed keys that need a restart.
 */
export function reloaded(now: Config, next: Config): { config: Config; left: readonly string[] } {
  const changed = Object.entries(keys).filter(
    ([name]) => !isDeepStrictEqual(settingOf(now, name), settingOf(next, name)),
  );
  const taken = changed.filter(([, key]) => "reloads" in key).map(([name]) => [name, settingOf(next, name)]);
  return {
    config: { ...now, ...Object.fromEntries(taken) },
    left: changed.filter(([, key]) => !("reloads" in key)).map(([, key]) => key.flag),
  };
}

const settingOf = (config: Config, name: string): unknown => Reflect.get(config, name);

/** The keys of commands that work on the store directly. */
export const storeKeys = ["data", "databaseUrl", "postgresBin", "masterKeyFile", "log"] as const;

/** Adds keys as options of a command that runs no part of the service. */
export function addOptions(command: Command, only: readonly (keyof Keys)[]): Command {
  addFileOption(command);
  for (const [name, key] of Object.entries(keys)) {
    if (only.some((one) => one === name)) command.addOption(optionOf(key));
  }
  return command;
}

/**
 * Lets a command and the commands in it take all flags of `serve`, so that a service and its commands can be called with
 * the same ones. Flags that a command does not know are ignored. Call this when all options have been added.
 */
export function ignoreOtherKeys(command: Command): void {
  for (const inner of command.commands) ignoreOtherKeys(inner);
  const known = new Set(command.options.map(({ long }) => long));
  if (!known.has("--config")) return;
  for (const key of Object.values(keys)) {
    if (!known.has(key.flag))
      command.addOption(
        optionOf(key)
          .hideHelp()
          .argParser(() => undefined),
      );
  }
}

/** Adds the keys that a role reads, which are all keys for `serve`. Flags that only another command reads are refused. */
export function addRoleOptions(command: Command, role: Role): Command {
  addFileOption(command);
  for (const key of Object.values(keys)) {
    const option = optionOf(key, role);
    if (role !== "serve" && key.role !== undefined && key.role !== role) {
      option.hideHelp().argParser(() => {
        throw invalid(`${key.flag} does not apply to fairlead ${role}, only to ${usersOf[key.role!]}`);
      });
    }
    command.addOption(option);
  }
  return command;
}

const usersOf = {
  control: "fairlead control and fairlead serve",
  edge: "fairlead edge and fairlead serve",
  serve: "fairlead serve",
};

const addFileOption = (command: Command) =>
  command.option("--config <FILE>", "a JSON file with the same keys as the flags, without dashes in front");

function optionOf(key: Key<unknown> | ReturnType<typeof many>, role?: Role): Option {
  const { desc, otherwise } = { ...key, ...(role && key.texts?.[role]) };
  const again = "repeat" in key ? "; may be repeated" : "";
  const help = `${desc}${again} (default: ${otherwise}) [${key.env}]`;
  if (key.value === "") return new Option(key.flag, help);
  return new Option(`${key.flag} <${key.value}>`, help).argParser(collect(key.flag, "repeat" in key));
}

type Options = Readonly<Record<string, string | readonly string[] | boolean | undefined>>;
type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the configuration of this process. Throws a Problem that names the invalid flag, variable or key of the file. */
export function readConfig(options: Options, environment: Environment = process.env): Config {
  const file = readFile(options["config"]);
  refuseUnknown(environment);
  const given: Record<string, GivenKey> = {};
  const entries = Object.entries(keys).map(([name, key]) => {
    const option = key.value === "" ? toggled(options, key) : options[name];
    const { source, text, called } = sourceOf(key, option, environment[key.env], file);
    if (!isGiven(text)) return [name, key.fallback];
    given[name] = { source, values: "secret" in key ? [] : textsOf(key, text) };
    return [name, parsed(key, text, called)];
  });
  return { ...Object.fromEntries(entries), given } as Config;
}

/** The server's side of an SSH connection. */
export interface SshConnection {
  readonly user: string | undefined;
  readonly address: string;
  readonly port: number;
}

/** The SSH connection in which this process was started, if any (sshd(8)). */
export function sshConnection({ SSH_CONNECTION = "", USER }: Environment = process.env): SshConnection | undefined {
  const [, , address, port] = SSH_CONNECTION.split(" ");
  return address === undefined || port === undefined ? undefined : { user: USER, address, port: Number(port) };
}

/** Where a key is given, the text there, and its name there for messages. */
function sourceOf(
  { flag, env }: Pick<Key<unknown>, "flag" | "env">,
  option: Options[string],
  variable: string | undefined,
  file: Readonly<Record<string, unknown>>,
): { source: GivenKey["source"]; text: unknown; called: string } {
  if (option !== undefined) return { source: "flag", text: option, called: flag };
  if (variable !== undefined) return { source: "environment", text: variable, called: env };
  const key = flag.slice(2);
  return { source: "file", text: file[key], called: `"${key}" in the configuration file` };
}

/** `true` if a flag without a value is given: the library says of `--no-x` that `x` is false. */
const toggled = (options: Options, key: Key<unknown> | ReturnType<typeof many>) =>
  options[optionOf(key).attributeName()] === false ? "true" : undefined;

/** The environment of this process, with other values of some variables, for another process. */
export const environmentWith = (values: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...process.env, ...values });

/** The directory that `bin/fairlead.js` chooses for compiled code; another version, elsewhere, has its own. */
const ownCompileCache = fileURLToPath(new URL("../../node_modules/.cache/fairlead", import.meta.url));

/** The first descriptor that systemd passes (sd_listen_fds(3)). */
const firstPassed = 3;

/** What systemd, or the service before, passes to this process. */
export interface Passed {
  readonly descriptors: readonly { readonly fd: number; readonly name: string | undefined }[];
  /** Whether the parent is the service before, which waits for this process to take over. */
  readonly followsParent: boolean;
  /** The socket for notifications to systemd. */
  readonly notify: string | undefined;
}

/** Reads it from the environment. LISTEN_PARENT is Fairlead's own: the process that passes its sockets to a child. */
export function passed(
  environment: Environment = process.env,
  own: Pick<typeof process, "pid" | "ppid"> = process,
): Passed {
  const { LISTEN_PID, LISTEN_PARENT, LISTEN_FDS, LISTEN_FDNAMES = "", NOTIFY_SOCKET } = environment;
  const followsParent = LISTEN_PARENT === `${own.ppid}`;
  const count = followsParent || LISTEN_PID === `${own.pid}` ? Number(LISTEN_FDS) || 0 : 0;
  const names = LISTEN_FDNAMES.split(":");
  const descriptors = Array.from({ length: count }, (_, at) => ({
    fd: firstPassed + at,
    name: names[at] || undefined,
  }));
  return { descriptors, followsParent, notify: NOTIFY_SOCKET || undefined };
}

/** The environment of a process that takes over, and that gets descriptors of these names from the first one on. */
export const environmentForSuccessor = (names: readonly string[]): NodeJS.ProcessEnv =>
  environmentWith({
    ...(process.env["NODE_COMPILE_CACHE"] === ownCompileCache ? { NODE_COMPILE_CACHE: undefined } : {}),
    LISTEN_PID: undefined,
    LISTEN_PARENT: `${process.pid}`,
    LISTEN_FDS: `${names.length}`,
    LISTEN_FDNAMES: names.join(":"),
  });

/** An empty value or list means the default. */
const isGiven = (value: unknown) =>
  value !== undefined && value !== "" && !(Array.isArray(value) && value.length === 0);

function parsed(key: Key<unknown> | ReturnType<typeof many>, given: unknown, source: string): unknown {
  try {
    const texts = textsOf(key, given);
    return "repeat" in key ? texts.map((text) => key.parse(text)) : key.parse(texts[0]!);
  } catch (error) {
    throw invalid(`${source}: ${error instanceof Error ? error.message : String(error)}`, { key: source });
  }
}

/** One text, or several of a list. */
function textsOf(key: Key<unknown> | ReturnType<typeof many>, given: unknown): string[] {
  if (!("repeat" in key)) return [String(given)];
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  return list.flatMap((item) => String(item).split(",")).map((item) => item.trim());
}

function readFile(path: Options[string]): Readonly<Record<string, unknown>> {
  if (typeof path !== "string") return {};
  const content: unknown = parseJson(path);
  if (!isObject(content)) throw invalid(`${path}: not a JSON object`);
  const known = new Set(Object.values(keys).map((key) => key.flag.slice(2)));
  const unknown = Object.keys(content).find((key) => !known.has(key));
  if (unknown !== undefined) throw invalid(`${path}: "${unknown}" is not a key of the configuration`);
  return content;
}

function parseJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT")
      throw invalid(`--config: no such file: ${path}`);
    throw invalid(`${path}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function refuseUnknown(environment: Environment) {
  const known = new Set<string>(Object.values(keys).map((key) => key.env));
  const unknown = Object.keys(environment).find((name) => name.startsWith("FAIRLEAD_") && !known.has(name));
  if (unknown !== undefined) throw invalid(`${unknown}: not a key of the configuration`, { key: unknown });
}

const collect = (flag: string, repeat: boolean) => (value: string, before: string | string[] | undefined) => {
  if (repeat) return [...(Array.isArray(before) ? before : []), value];
  if (before !== undefined) throw invalid(`${flag}: may be given only once`, { key: flag });
  return value;
};
