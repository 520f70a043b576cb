/** Writes the pages of docs/reference that are made from the code: `npm run docs`. */
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { pages } from "./pages.ts";

for (const [path, page] of Object.entries(pages)) writeFileSync(resolve(import.meta.dirname, "../..", path), page());
