/**
 * The pages of the links in mails: they ask for a new password twice and set it. They load nothing but their own
 * script and style, and work without the portal, whose look they have.
 */
import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { asset, type Produce } from "../../../../http/message/asset.ts";
import type { PasswordTokenKind } from "../../credentials/token.ts";

interface Words {
  readonly title: string;
  /** The message for a link that no longer works. */
  readonly invalid: string;
}

const words: Readonly<Record<PasswordTokenKind, Words>> = {
  invitation: {
    title: "Choose your password",
    invalid: "This link was already used or has expired. Ask an administrator of your account for a new one.",
  },
  reset: {
    title: "Set a new password",
    invalid: "This link was already used or has expired. Request a new one in the same way as this one.",
  },
};

const headers = {
  "content-type": "text/html; charset=utf-8",
  // opened with tokens, so no copy may be stored
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; "),
};

const fileOf = (name: string) => new URL(`./${name}`, import.meta.url);

/** The pages and their files by path; `pageLink` links to the pages. With a portal they lead to signing in there. */
export const linkPages = (hasPortal: boolean): readonly (readonly [path: string, produce: Produce])[] => [
  page("invitation", hasPortal),
  page("reset", hasPortal),
  ...filesOf(
    "link-page.js",
    asset("text/javascript; charset=utf-8", "no-cache", () => readFile(fileOf("link-page.js"))),
  ),
  ...filesOf(
    "link-page.css",
    asset("text/css; charset=utf-8", "no-cache", () => readFile(fileOf("link-page.css"))),
  ),
];

/** The paths of a file that pages load by its name: the path of a page may end with a slash. */
function filesOf(name: string, produce: Produce): (readonly [string, Produce])[] {
  return ["", "/invitation", "/reset"].map((directory) => [`${directory}/${name}`, produce] as const);
}

function page(kind: PasswordTokenKind, hasPortal: boolean): readonly [string, Produce] {
  const { title, invalid } = words[kind];
  // safe without escaping: the texts are the constants above
  const print = () => {
    const values = { title, kind, invalid, signin: hasPortal ? "Sign in" : "" };
    const template = readFileSync(fileOf("link-page.html"), "utf8");
    return template.replace(/\{\{(\w+)\}\}/g, (_, name: keyof typeof values) => values[name]);
  };
  let body: string | undefined;
  return [
    `/${kind}`,
    async () => {
      body ??= print();
      return { status: 200, headers, body };
    },
  ];
}
