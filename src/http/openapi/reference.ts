/** The reference page; its HTML and script come from this process only. */
import { markup } from "../../lib/text/text.ts";
import { asset, type Produce } from "../message/asset.ts";
import type { Response } from "../message/request.ts";
import type { Route } from "../route/route.ts";
import { type ApiInfo, openapiOf } from "./openapi.ts";

export const referencePaths = { page: "/docs", script: "/docs/reference.js", openapi: "/v1/openapi.json" };

/** Returns the API's description: the document, the page, and the page's script, which is loaded at first use. */
export function openPages<Right, Ctx>(
  routes: readonly Route<Right, Ctx>[],
  info: ApiInfo,
  loadScript: () => Promise<Buffer>,
): readonly [string, Produce][] {
  const document = async () => Buffer.from(`${JSON.stringify(openapiOf(routes, info))}\n`);
  return [
    [referencePaths.openapi, asset("application/json", "no-cache", document)],
    [referencePaths.page, async () => referencePage(info.title)],
    [referencePaths.script, asset("text/javascript; charset=utf-8", "max-age=3600", loadScript)],
  ];
}

/** The script adds styles at run time, so styles need 'unsafe-inline'; scripts come from this service only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const configuration = {
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: "never",
  agent: { disabled: true },
  mcp: { disabled: true },
};

function referencePage(title: string): Response {
  const { openapi, script } = referencePaths;
  return {
    status: 200,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    },
    body: `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${markup(title)}</title>
  </head>
  <body>
    <noscript>This page needs JavaScript. The API is described at <a href="${openapi}">${openapi}</a>.</noscript>
    <script id="api-reference" data-url="${openapi}" data-configuration="${markup(JSON.stringify(configuration))}"></script>
    <script src="${script}"></script>
  </body>
</html>
`,
  };
}
