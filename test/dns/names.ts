/** Names as labels of latin1 characters, written independently of src/dns so that a fault there cannot hide in a test. */

/** Labels from the left, without the root. One character is one octet. */
export type Labels = readonly string[];

export const labels = (text: string): Labels => text.split(".").filter((label) => label !== "");

/** The spelling of API and zone files, without the final dot. */
export const print = (name: Labels): string => name.map(printLabel).join(".");

export const absolute = (name: Labels): string => `${print(name)}.`;

const printLabel = (label: string) =>
  label.replace(/[^a-zA-Z0-9_*-]/g, (octet) => `\\${octet.charCodeAt(0).toString().padStart(3, "0")}`);

export function wire(name: Labels): Buffer {
  const parts = name.flatMap((label) => [Buffer.of(label.length), Buffer.from(label, "latin1")]);
  return Buffer.concat([...parts, Buffer.of(0)]);
}

export const wireLength = (name: Labels): number => name.reduce((sum, label) => sum + 1 + label.length, 1);
