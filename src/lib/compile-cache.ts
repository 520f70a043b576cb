/** Where compiled code is kept between starts. Where it cannot be written, every start compiles anew, and no harm is done. */
import { fileURLToPath } from "node:url";

export const compileCache = fileURLToPath(new URL("../../node_modules/.cache/fairlead", import.meta.url));
