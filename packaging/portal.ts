/** Builds the portal's pages in the checkout: `npm run portal`. Services of this checkout then find them. */
import { builtBefore, PortalFiles } from "../src/cli/host/portal.ts";
import { newLog } from "../src/lib/log.ts";

const files = new PortalFiles(builtBefore, newLog("warn", "portal"));
await files.provide();
if (files.folder === undefined) throw new Error(files.failure);
process.stdout.write(`${files.folder}\n`);
