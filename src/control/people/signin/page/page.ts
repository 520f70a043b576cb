/**
 * The pages behind the links of mails: they take a new password, twice, and set it. Nothing comes from elsewhere, and
 * nothing runs in them but what is written here.
 */
import { hash } from "node:crypto";
import type { Response } from "../../../../http/message/request.ts";
import type { TokenKind } from "../../credentials/token.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

interface Words {
  readonly title: string;
  /** Of a link that opens nothing any more. */
  readonly useless: string;
}

const words: Readonly<Record<TokenKind, Words>> = {
  invitation: {
    title: "Choose your password",
    useless:
      "This link was used already, or is too old. Ask whoever manages the users of your account for another one.",
  },
  reset: {
    title: "Set a new password",
    useless: "This link was used already, or is too old. Ask for another one in the way that you asked for this one.",
  },
};

const hashOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  // opened with tokens, so no copy of it stays behind
  "cache-control": "no-store",
  "content-security-policy": [
    "default-src 'none'",
    `script-src ${hashOf(script)}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
};

/** By their paths, which `pageLink` makes links to. */
export const linkPages = (["invitation", "reset"] as const).map((kind) => {
  const page: Response = { status: 200, headers, body: print(kind, words[kind]) };
  return [`/${kind}`, async () => page] as const;
});

// the texts are those above
function print(kind: TokenKind, { title, useless }: Words): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="robots" content="noindex">
    <title>${title} \u00b7 Fairlead</title>
    <style>${style}</style>
  </head>
  <body>
    <main>
      <p class="brand">Fairlead</p>
      <h1>${title}</h1>
      <form data-kind="${kind}" data-useless="${useless}" hidden>
        <input id="username" autocomplete="username" hidden>
        <label for="password">New password</label>
        <input id="password" type="password" autocomplete="new-password" minlength="12" maxlength="256" required aria-describedby="rules">
        <small id="rules">12 characters or more, and without your username.</small>
        <label for="again">The same once more</label>
        <input id="again" type="password" autocomplete="new-password" maxlength="256" required>
        <label class="check"><input type="checkbox">Show what I type</label>
        <button>Set the password</button>
      </form>
      <p role="status"></p>
      <noscript><p class="bad">This page needs JavaScript: what stands behind the # of the link is sent by it alone.</p></noscript>
    </main>
    <script>${script}</script>
  </body>
</html>
`;
}
