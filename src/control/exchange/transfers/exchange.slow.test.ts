/** Two services side by side: one has zones, the other transfers them. */
import { expect, test } from "vitest";
import { output } from "../../../../test/machine/processes.ts";
import { type Api, startApi } from "../../../../test/service/api.ts";
import { edgeBeside } from "../../../../test/service/edge.ts";

const patience = { timeout: 60_000, interval: 50 };

interface Node {
  readonly api: Api;
  readonly port: number;
  ask(...words: string[]): Promise<string[]>;
}

interface TransferredZone {
  readonly expiry: number;
  readonly secondary: { readonly expires_at: number };
}

async function startNode(): Promise<Node> {
  const api = await startApi();
  const { port } = await edgeBeside(api);
  const ask = async (...words: string[]) => {
    const text = await output("dig", [
      "@127.0.0.1",
      "-p",
      `${port}`,
      "+tries=2",
      "+time=3",
      "+noall",
      "+answer",
      ...words,
    ]);
    return text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(";"))
      .map((line) => line.split(/\s+/).join(" "));
  };
  return { api, port, ask };
}

const [ours, theirs] = await Promise.all([startNode(), startNode()]);
const secret = Buffer.from("a secret that both of us know").toString("base64");
const address = (port: number, rest: object = {}) => ({ ip: "127.0.0.1", port, notify: true, ...rest });

test("a zone is transferred from one service to the other, by address or signed, and changes follow at once", async () => {
  await ours.api.must("PUT", "tsig/moves.key", { algorithm: "hmac-sha512", secret });
  for (const [zone, signed] of [
    ["plain.example", false],
    ["signed.example", true],
  ] as const) {
    const secondaries = [address(theirs.port, signed ? { tsig_key: "moves.key" } : {})];
    await ours.api.must("PUT", `zones/${zone}`, { primary: { enabled: true, secondaries } });
    await ours.api.must("PUT", `zones/${zone}/www.${zone}/A`, { answers: [{ answer: ["192.0.2.1"] }] });
    const tsig = { enabled: true, hash: "hmac-sha512", name: "Moves.Key.", key: secret };
    const secondary = { enabled: true, primary_ip: "127.0.0.1", primary_port: ours.port, ...(signed ? { tsig } : {}) };
    const made = await theirs.api.must("PUT", `zones/${zone}`, { secondary });
    expect(made).toMatchObject({
      secondary: { status: "pending", expired: true, last_xfr: 0, expires_at: 0 },
      records: [],
    });
    await expect.poll(() => theirs.ask(`www.${zone}`), patience).toEqual([`www.${zone}. 3600 IN A 192.0.2.1`]);
    expect(await theirs.ask(zone, "SOA")).toEqual(await ours.ask(zone, "SOA"));
    await ours.api.must("POST", `zones/${zone}/www.${zone}/A`, { answers: [{ answer: ["192.0.2.2"] }] });
    await expect.poll(() => theirs.ask(`www.${zone}`), patience).toEqual([`www.${zone}. 3600 IN A 192.0.2.2`]);
    const { secondary: after, expiry } = await theirs.api.must<TransferredZone>("GET", `zones/${zone}`);
    const now = Math.floor(Date.now() / 1000);
    expect(after).toMatchObject({ status: "ok", error: null, expired: false });
    expect(after.expires_at - expiry).toBeGreaterThan(now - 120);
    expect(after.expires_at - expiry).toBeLessThanOrEqual(now);
    const query = `resource_type=dns_zone&user=transfer&resource_id=${made["id"]}`;
    const [newest] = await theirs.api.must<object[]>("GET", `account/activity?${query}`);
    expect(newest).toMatchObject({ user_type: "system", action: "transfer", resource: { zone } });
  }
});
