/** The identity of a record in its zone. */

export const rowId = ({ domain, type }: { readonly domain: string; readonly type: string }) => `${domain}/${type}`;
