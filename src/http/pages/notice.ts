/** The page at `/` while the portal cannot be shown. */
import { markup } from "../../lib/text/text.ts";
import type { Response } from "../message/request.ts";

/** Says what is wrong; without a failure the portal is being built, and the page loads itself again. */
export function notice(failure: string | undefined): Response {
  const text = failure ?? "The portal is being built. This page loads it as soon as it is ready.";
  return {
    status: 503,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "cache-control": "no-store",
      "retry-after": "2",
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    ${failure === undefined ? '<meta http-equiv="refresh" content="2">\n    ' : ""}<title>Fairlead</title>
  </head>
  <body>
    <h1>Fairlead</h1>
    <p>${markup(text)}</p>
    <p>The API works: <a href="docs">its reference</a>.</p>
  </body>
</html>
`,
  };
}
