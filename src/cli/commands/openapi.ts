/** `fairlead openapi`: prints the document that a running service serves at /v1/openapi.json. */

import { version } from "../../config/version.ts";
import { routes } from "../../control/index.ts";
import { apiInfo } from "../../control/start.ts";
import { openapiOf } from "../../http/openapi/openapi.ts";

export function openapi(): void {
  process.stdout.write(`${JSON.stringify(openapiOf(routes, apiInfo(version)), null, 2)}\n`);
}
