/** Descriptions of catalogues are HTML; pages show their text, and write no markup of others into the page. */

/** The text of a piece of HTML, without its elements. */
export const plainOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, "")
    .replace(/&(lt|gt|amp|quot|#39);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, " ")
    .trim();

const entities: { readonly [name: string]: string } = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'" };
