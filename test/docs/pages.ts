/** The pages of docs/reference that are made from the code. */
import { configurationPage } from "./configuration.ts";
import { limitsPage } from "./limits.ts";

export const pages: Readonly<Record<string, () => string>> = {
  "docs/reference/configuration.md": configurationPage,
  "docs/reference/limits.md": limitsPage,
};
