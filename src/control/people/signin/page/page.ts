/**
 * The pages of the links in mails: they ask for a new password twice and set it. They load nothing from other sites,
 * and run no other script than ours.
 */
import { hash } from "node:crypto";
import type { Response } from "../../../../http/message/request.ts";
import type { TokenKind } from "../../credentials/token.ts";
import { script } from "./script.ts";
import { style } from "./style.ts";

interface Words {
  readonly title: string;
  /** The message for a link that no longer works. */
  readonly invalid: string;
}

const words: Readonly<Record<TokenKind, Words>> = {
  invitation: {
    title: "Choose your password",
    invalid: "This link was already used or has expired. Ask an administrator of your account for a new one.",
  },
  reset: {
    title: "Set a new password",
    invalid: "This link was already used or has expired. Request a new one in the same way as this one.",
  },
};

const hashOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`;

const headers = {
  "content-type": "text/html; charset=utf-8",
  // opened with tokens, so no copy may be stored
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

/** The pages by their paths, which `pageLink` links to. */
export const linkPages = (["invitation", "reset"] as const).map((kind) => {
  const page: Response = { status: 200, headers, body: print(kind, words[kind]) };
  return [`/${kind}`, async () => page] as const;
});

// safe without escaping: the texts are the constants above
function print(kind: TokenKind, { title, invalid }: Words): string {
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
      <form data-kind="${kind}" data-invalid="${invalid}" hidden>
        <input id="username" autocomplete="username" hidden>
        <label for="password">New password</label>
        <input id="password" type="password" autocomplete="new-password" minlength="12" maxlength="256" required aria-describedby="rules">
        <small id="rules">At least 12 characters, without your username.</small>
        <label for="again">Repeat the password</label>
        <input id="again" type="password" autocomplete="new-password" maxlength="256" required>
        <label class="check"><input type="checkbox">Show what I type</label>
        <button>Set the password</button>
      </form>
      <p role="status"></p>
      <noscript><p class="bad">This page needs JavaScript to send the text after the # of the link.</p></noscript>
    </main>
    <script>${script}</script>
  </body>
</html>
`;
}
