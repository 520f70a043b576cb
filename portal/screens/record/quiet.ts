/** The colour of less important text; what is lit has none, since dimmed text could not be read there. */
export const quietUnless = (isLit: boolean) => (isLit ? {} : { c: "dimmed" });
