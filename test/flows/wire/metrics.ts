/** Counters of a running edge, from its Prometheus metrics. */

/** The sum of a metric over its labels. */
export async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(url)).text();
  const values = text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => Number(line.slice(line.lastIndexOf(" ") + 1)));
  if (values.length === 0) throw new Error(`${url} has no ${name}`);
  return values.reduce((sum, value) => sum + value, 0);
}
