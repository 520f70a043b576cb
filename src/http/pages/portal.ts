/** The portal: the files of a build, and one page for every address that the portal knows. */
import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Request, Response } from "../message/request.ts";
import { notice } from "./notice.ts";

/** What a build says about itself, in `pages.json` of its folder. */
interface Build {
  /** The paths of pages; `:name` stands for any segment. */
  readonly routes: readonly string[];
  /** The page, with `{{root}}` and `{{nonce}}`. */
  readonly page: string;
  /** The media types of all files by path. Each file also has a compressed form: `.br` and `.gz`. */
  readonly files: Readonly<Record<string, string>>;
}

interface Loaded extends Pick<Build, "page"> {
  readonly files: ReadonlyMap<string, string>;
  readonly routes: RegExp;
}

/** Where the build is. */
export interface PortalSource {
  /** The folder of the build; undefined while there is none. */
  readonly folder: string | undefined;
  /** The reason why there is none, and what to do; undefined while it is being made. */
  readonly failure: string | undefined;
}

type Asked = Pick<Request, "method" | "path" | "target" | "headers">;

export class Portal {
  readonly #source: PortalSource;
  #loading: Promise<Loaded> | undefined;

  constructor(source: PortalSource) {
    this.#source = source;
  }

  /** Answers a request for a page or a file of the portal; undefined for everything else. */
  async answer({ method, path, target, headers }: Asked): Promise<Response | undefined> {
    if (method !== "GET" && method !== "HEAD") return undefined;
    const isPage = /\btext\/html\b/i.test(headers.accept ?? "");
    const { folder, failure } = this.#source;
    if (folder === undefined) return path === "/" && isPage ? notice(failure) : undefined;
    const { page, files, routes } = await this.#load(folder);
    const type = files.get(path.slice(1));
    if (type !== undefined) return fileOf(join(folder, path), type, String(headers["accept-encoding"] ?? ""));
    return isPage && routes.test(path) ? pageOf(page, rootOf(target)) : undefined;
  }

  #load(folder: string): Promise<Loaded> {
    this.#loading ??= load(folder).catch((error) => {
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }
}

async function load(folder: string): Promise<Loaded> {
  const { page, files, routes }: Build = JSON.parse(await readFile(join(folder, "pages.json"), "utf8"));
  const patterns = routes.map((route) => route.replace(/:\w+/g, "[^/]+"));
  return { page, files: new Map(Object.entries(files)), routes: new RegExp(`^(?:${patterns.join("|")})$`) };
}

/** The `Cache-Control` of a file, which has a digest of its content in its name, so that it never changes. */
export const kept = "public, max-age=31536000, immutable";

async function fileOf(path: string, type: string, accepted: string): Promise<Response> {
  const coding = ["br", "gzip"].find((name) => new RegExp(`\\b${name}\\b`).test(accepted));
  const body = await readFile(coding === undefined ? path : `${path}.${coding === "br" ? "br" : "gz"}`);
  const headers = {
    "content-type": type,
    "cache-control": kept,
    vary: "Accept-Encoding",
    ...(coding === undefined ? {} : { "content-encoding": coding }),
  };
  return { status: 200, headers, body };
}

/** The page is made for one load: its styles need the nonce, and its files are found from the address in the browser. */
function pageOf(page: string, root: string): Response {
  const nonce = randomBytes(16).toString("base64url");
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "cross-origin-opener-policy": "same-origin",
      "content-security-policy": policy(nonce),
      vary: "Accept",
    },
    body: page.replaceAll("{{root}}", root).replaceAll("{{nonce}}", nonce),
  };
}

/** The only policy of trusted types, in `portal/main.tsx`, lets styles through and no markup. */
const policy = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "connect-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types default",
  ].join("; ");

/** The way from a page to the folder of the service, whatever a proxy has removed from the front of the address. */
function rootOf(target: string): string {
  const [path = "/"] = target.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1);
  return "../".repeat(path.split("/").length - 2) || "./";
}
