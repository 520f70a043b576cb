/** Import and export of zone files over HTTP. */
import { hash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Answer, type Client, type Fields, startApi } from "../../../test/service/api.ts";
import { compareNames, printName, scanName } from "../../dns/wire/name.ts";
import { newId } from "../../lib/ids.ts";

const importLimit = 300_000;
const api = await startApi({ importLimit });

let count = 0;
/** A zone name that no other test uses. */
const fresh = () => `file${++count}.example`;

const head =
  "$TTL 600\n@ 300 IN SOA ns.old.example. admin.old.example. ( 2024010101 1h 10m 2w 5m )\n  NS ns.old.example.\n";

const put = <T = Fields>(zone: string, file: string, query = "", client: Client = api): Promise<Answer<T>> =>
  client.call<T>("PUT", `import/zonefile/${zone}${query}`, file, { "Content-Type": "text/dns" });

interface Imported {
  readonly records: readonly { readonly domain: string; readonly type: string; readonly short_answers: string[] }[];
  readonly warnings: readonly string[];
}

const listed = ({ records }: Imported) =>
  records.map(({ domain, type, short_answers }) => `${domain} ${type} ${short_answers.join(", ")}`).sort();

const exported = async (zone: string) => {
  const reply = await fetch(`${api.url}/v1/export/zonefile/${zone}`, { headers: { "X-NSONE-Key": api.key } });
  return { reply, text: await reply.text() };
};

describe("an import", () => {
  test("creates a zone with the SOA record's settings and all records, as one change", async () => {
    const zone = fresh();
    const answer = await put<Imported & Fields>(zone, `${head}www A 192.0.2.1\n    A 192.0.2.2\n@ 60 MX 10 mail\n`);
    expect(answer.body).toMatchObject({
      zone,
      ttl: 300,
      refresh: 3600,
      retry: 600,
      expiry: 1_209_600,
      nx_ttl: 300,
      hostmaster: "admin.old.example",
      primary_master: "dns1.example.net",
      networks: [0],
      warnings: ["line 3: NS records at the apex are replaced by those of the zone's networks"],
    });
    expect(listed(answer.body)).toEqual([
      `${zone} MX 10 mail.${zone}`,
      `${zone} NS dns1.example.net, dns2.example.net`,
      `www.${zone} A 192.0.2.1, 192.0.2.2`,
    ]);
    expect(await api.must("GET", `zones/${zone}/www.${zone}/A`)).toMatchObject({ ttl: 600, tier: 1, filters: [] });
    const { serials } = await api.numbered(answer);
    expect(Object.keys(serials)).toEqual([answer.body["id"]]);
  });

  test("takes the file as a field of a form", async () => {
    const zone = fresh();
    const form = new FormData();
    form.append("other", "x");
    form.append("zonefile", new Blob([`${head}www A 192.0.2.1\r\n`]), "../../etc/passwd");
    const reply = await fetch(`${api.url}/v1/import/zonefile/${zone}?async=false`, {
      method: "PUT",
      headers: { "X-NSONE-Key": api.key },
      body: form,
    });
    expect([reply.status, listed((await reply.json()) as Imported).at(-1)]).toEqual([200, `www.${zone} A 192.0.2.1`]);
  });

  test("leaves one entry in the activity log", async () => {
    const zone = fresh();
    await put(zone, `${head}www A 192.0.2.1\n`);
    const entries = await api.must<Fields[]>("GET", "account/activity?limit=1");
    expect(entries).toMatchObject([{ resource_type: "zonefile", action: "create", resource: { zone } }]);
  });

  test("warns of records that it leaves out or changes", async () => {
    const zone = fresh();
    const file = `${head}www A 192.0.2.1\nwww 60 A 192.0.2.2\nwww A 192.0.2.1\nother.example. A 192.0.2.1\nwww RRSIG A 13\n`;
    expect((await put<Imported>(zone, file)).body.warnings).toEqual([
      "line 3: NS records at the apex are replaced by those of the zone's networks",
      `line 5: www.${zone} A: TTL 60 is set to 600, that of line 4`,
      `line 6: www.${zone} A: duplicate data: left out`,
      `line 7: other.example is outside the zone ${zone}: left out`,
      "line 8: RRSIG records are left out: signing the zone creates them again",
    ]);
  });

  test("warns of names that no query reaches", async () => {
    const zone = fresh();
    const file = `${head}x.y.d TXT x\nd DNAME e\nd TXT x\nc NS ns.c\nns.c A 192.0.2.1\nt.c TXT x\nsub.c NS ns.c\nn\\.d A 192.0.2.1\n`;
    expect((await put<Imported>(zone, file)).body.warnings.slice(1)).toEqual([
      `line 4: x.y.d.${zone} TXT is below the DNAME record at d.${zone}: no query reaches it`,
      `line 9: t.c.${zone} TXT is below the NS record at c.${zone}: no query reaches it`,
      `line 10: sub.c.${zone} NS is below the NS record at c.${zone}: no query reaches it`,
    ]);
  });

  test("sets the zone's networks", async () => {
    const { status, body } = await put<Fields>(fresh(), head, "?networks=7");
    expect([status, body["message"]]).toEqual([400, expect.stringContaining("7")]);
    expect((await put<Imported>(fresh(), `${head}a A 192.0.2.1\n`, "?networks=0")).status).toBe(200);
  });
});

describe("an import without an SOA record, or with bad lines", () => {
  test("has the settings of a new zone", async () => {
    const [zone, plain] = [fresh(), fresh()];
    const { status, body } = await put<Imported & Fields>(zone, "www 60 A 192.0.2.1\n");
    expect([status, listed(body)]).toEqual([
      200,
      [`${zone} NS dns1.example.net, dns2.example.net`, `www.${zone} A 192.0.2.1`],
    ]);
    expect(body.warnings).toEqual(["the zone file has no SOA record: the zone has the settings of a new zone"]);
    const usual = await api.must("PUT", `zones/${plain}`, {});
    const settings = ["ttl", "refresh", "retry", "expiry", "nx_ttl", "primary_master", "networks", "dns_servers"];
    for (const name of settings) expect([name, body[name]]).toEqual([name, usual[name]]);
    expect(body["hostmaster"]).toBe(`hostmaster@${zone}`);
  });

  test("takes the good lines if the caller asks for that, also in the background", async () => {
    const file = `${head}a A 192.0.2.1\nb A nothing\nc A 192.0.2.3\n`;
    const warning = expect.stringMatching(/^line 5: .*: left out$/);
    const zone = fresh();
    expect((await put(zone, file)).status).toBe(400);
    const { status, body } = await put<Imported>(zone, file, "?partial=true");
    expect([status, body.warnings]).toEqual([200, [warning, expect.stringContaining("line 3: ")]]);
    expect(listed(body).slice(0, 2)).toEqual([`a.${zone} A 192.0.2.1`, `c.${zone} A 192.0.2.3`]);
    const later = fresh();
    let { body: job } = await put(later, file, "?partial=true&async=true");
    while (job["percent"] !== 100) job = await api.must("GET", `import/zonefile/${job["id"]}`);
    expect(job).toMatchObject({
      response_code: 200,
      response: { zone: later, warnings: [warning, expect.anything()] },
    });
  });
});

describe("a refused import leaves nothing behind:", () => {
  const cases: [what: string, file: string, message: string][] = [
    [
      "$INCLUDE",
      `${head}$INCLUDE /etc/passwd\n`,
      "zone file line 4: $INCLUDE is not supported: put the lines of the other file here",
    ],
    ["an empty file", "", "the zone file has no records of the zone ZONE"],
    [
      "two SOA records",
      `${head}@ SOA a b 1 2 3 4 5\n`,
      "zone file line 4: a second SOA record; the first is in line 2",
    ],
    [
      "CNAME with other data",
      `${head}a A 192.0.2.1\na CNAME b\n`,
      "zone file line 5: a.ZONE has a record of type A, which cannot share a name with CNAME",
    ],
    [
      "two CNAMEs",
      `${head}a CNAME b\na CNAME c\n`,
      "zone file line 4: answers: a CNAME record can have several answers only with filters",
    ],
    [
      "several faults",
      `${head}a A 1\nb A 2\n`,
      'zone file line 4: A record: address "1" is not an IPv4 address (and 1 more)',
    ],
    ["an open parenthesis", `${head}a A (192.0.2.1\n`, 'zone file line 4: has a "(" without ")"'],
    ["ALIAS", `${head}a ALIAS b\n`, "zone file line 4: ALIAS is not a type of zone files"],
    ["UTF-16", "\ufeff".concat(head), "the zone file is in UTF-16; a zone file must be ASCII or UTF-8"],
    [
      "too many answers",
      `${head}${Array.from({ length: 101 }, (_, i) => `a A 192.0.2.${i}\n`).join("")}`,
      "zone file line 104: a.ZONE A: at most 100 answers per record",
    ],
  ];
  for (const [what, file, message] of cases) {
    test(what, async () => {
      const zone = fresh();
      const octets = what === "UTF-16" ? Buffer.from(file, "utf16le") : Buffer.from(file);
      const reply = await fetch(`${api.url}/v1/import/zonefile/${zone}`, {
        method: "PUT",
        headers: { "X-NSONE-Key": api.key },
        body: octets,
      });
      expect([reply.status, ((await reply.json()) as Fields)["message"]]).toEqual([400, message.replace("ZONE", zone)]);
      expect((await api.call("GET", `zones/${zone}`)).status).toBe(404);
    });
  }

  test("a zone that exists", async () => {
    const zone = fresh();
    await api.must("PUT", `zones/${zone}`, {});
    const { status, body } = await put<Fields>(zone, head);
    expect([status, body["message"], body["code"]]).toEqual([400, "zone already exists", "conflict"]);
  });

  test("forms that are incomplete or do not have the field exactly once", async () => {
    const send = (body: string) =>
      api.call<Fields>("PUT", `import/zonefile/${fresh()}`, body, {
        "Content-Type": "multipart/form-data; boundary=b",
      });
    const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${head}\r\n`;
    const messages: [body: string, message: string][] = [
      [`${part("file")}--b--\r\n`, 'the form has no field "zonefile"'],
      [`${part("zonefile")}${part("zonefile")}--b--\r\n`, 'the form has the field "zonefile" more than once'],
      [part("zonefile"), "the form is not complete: a part has no end"],
      ["nothing", "the form is not complete: a part has no end"],
      [`${part("x").repeat(101)}--b--\r\n`, "the form has more than 100 parts"],
    ];
    for (const [body, message] of messages) {
      const answer = await send(body);
      expect([answer.status, answer.body["message"]]).toEqual([400, message]);
    }
  });

  test("a file that is too large", async () => {
    const { status, body } = await put<Fields>(fresh(), `${head};${"x".repeat(importLimit)}\n`);
    const message = `the body is larger than ${importLimit} octets`;
    expect([status, body["message"], body["details"]]).toEqual([413, message, { limit: importLimit }]);
  });

  test("a file that is cut off", async () => {
    const zone = fresh();
    const { hostname, port } = new URL(api.url);
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    const fields = `Host: x\r\nX-SERVICE-Key: ${api.key}\r\nContent-Length: 1000\r\n`;
    const request = `PUT /v1/import/zonefile/${zone} HTTP/1.1\r\n${fields}\r\n${head}www A 192.0.2.1\n`;
    await new Promise<void>((resolve) => socket.write(request, () => resolve()));
    socket.destroy();
    expect((await put(zone, `${head}www A 192.0.2.2\n`)).status).toBe(200);
    const { answers } = await api.must<{ answers: { answer: string[] }[] }>("GET", `zones/${zone}/www.${zone}/A`);
    expect(answers.map(({ answer }) => answer)).toEqual([["192.0.2.2"]]);
  });

  test("a file with an error after its first part is stored", async () => {
    const zone = fresh();
    const lines = Array.from({ length: 6000 }, (_, n) => `h${n} A 192.0.2.1\n`).join("");
    const { status, body } = await put<Fields>(zone, `${head}${lines}www A x\n`);
    expect([status, body["message"]]).toEqual([
      400,
      'zone file line 6004: A record: address "x" is not an IPv4 address',
    ]);
    const left = await api.store.db
      .selectFrom("record")
      .select("domain")
      .where("domain", "like", `%.${zone}`)
      .execute();
    expect(left).toEqual([]);
    expect(await api.store.db.selectFrom("zone_load").select("id").execute()).toEqual([]);
    expect(await api.store.db.selectFrom("change_part").select("part").where("part", ">", 0).execute()).toEqual([]);
  });

  test("a key without the right to the whole zone", async () => {
    const zone = fresh();
    const limited = await api.limited({ dns: { manage_zones: true, view_zones: true, zones_allow_by_default: false } });
    expect((await limited.call("PUT", `import/zonefile/${zone}`, head)).status).toBe(403);
    const denied = await api.limited({
      dns: {
        ...{ manage_zones: true, view_zones: true, zones_allow_by_default: true },
        records_deny: [{ zone, domain: `secret.${zone}`, type: "A", include_subdomains: false }],
      },
    });
    expect((await denied.call("PUT", `import/zonefile/${zone}`, `${head}secret A 192.0.2.1\n`)).status).toBe(403);
  });
});

describe("an import job", () => {
  const finished = async (id: unknown) => {
    for (;;) {
      const job = await api.must("GET", `import/zonefile/${id}`);
      if (job["percent"] === 100) return job;
    }
  };

  test("shows its progress, and at the end the reply of a synchronous import", async () => {
    const zone = fresh();
    const { body: job } = await put<Fields>(zone, `${head}www A 192.0.2.1\n`, "?async=true");
    expect(job).toEqual({
      id: expect.any(String),
      sent: expect.any(Number),
      type: "importzonefile",
      percent: 0,
      status: "waiting",
      result: null,
    });
    expect(await finished(job["id"])).toMatchObject({
      percent: 100,
      status: `created zone ${zone} with 1 record`,
      result: "success",
      response_code: 200,
      response: { zone, warnings: [expect.stringContaining("line 3")] },
    });
    expect(await api.must("GET", `zones/${zone}/www.${zone}/A`)).toMatchObject({ type: "A" });
  });

  test.each([
    ["a record of the file", "secret", 403],
    ["another record", "other", 200],
  ])(
    "uses the rights of its key at the time the zone is created: %s was denied during the import",
    async (_, denied, response_code) => {
      const zone = fresh();
      const { id, key } = await api.must("PUT", "account/apikeys", { name: newId(), permissions: {} });
      const { promise: isCut, resolve: cut } = Promise.withResolvers<void>();
      const { promise: isHeld, resolve: hold } = Promise.withResolvers<void>();
      // stops the import at its records
      const holding = api.store.transaction(async (tx) => {
        await sql`lock table change_part in exclusive mode`.execute(tx);
        hold();
        await isCut;
      });
      await isHeld;
      const { body: job } = await put<Fields>(
        zone,
        `${head}secret A 192.0.2.1\n`,
        "?async=true",
        api.client(String(key)),
      );
      const records_deny = [{ zone, domain: `${denied}.${zone}` }];
      await api.must("POST", `account/apikeys/${id}`, { permissions: { dns: { records_deny } } });
      cut();
      await holding;
      expect(await finished(job["id"])).toMatchObject({ response_code });
      expect((await api.call("GET", `zones/${zone}`)).status).toBe(response_code === 200 ? 200 : 404);
    },
  );

  test("that failed shows the reason", async () => {
    const { body: job } = await put<Fields>(fresh(), `${head}www A x\n`, "?async=true");
    expect(await finished(job["id"])).toMatchObject({
      result: "error",
      response_code: 400,
      response: { code: "invalid", details: { line: 4, errors: [{ line: 4 }] } },
    });
  });

  test("whose process has ended has failed, and shows the reason", async () => {
    const { account_id } = await api.store.db.selectFrom("api_key").select("account_id").executeTakeFirstOrThrow();
    const job = { account_id, id: newId(), zone: fresh(), sent: Math.floor(Date.now() / 1000), percent: 40 };
    await api.store.db
      .insertInto("import_job")
      .values({ ...job, status: "creating", holder: newId() })
      .execute();
    expect(await finished(job.id)).toMatchObject({
      result: "error",
      response_code: 503,
      response: { message: "the import was interrupted and nothing was imported: send the file again" },
    });
  });

  test("is visible only to its own account", async () => {
    const { body: job } = await put<Fields>(fresh(), head, "?async=true");
    await finished(job["id"]);
    const stranger = await api.stranger();
    expect((await stranger.call("GET", `import/zonefile/${job["id"]}`)).status).toBe(404);
    expect((await api.call("GET", "import/zonefile/unknown")).status).toBe(404);
  });
});

describe("an export", () => {
  test("has the zone in canonical order, and can be imported again", async () => {
    const [zone, copy] = [fresh(), fresh()];
    await put(
      zone,
      `${head}z A 192.0.2.1\na.z TXT "x \\"y\\" é"\nA A 192.0.2.1\n*.a 60 CNAME z\n@ CAA 0 issue "ca.example"\n`,
    );
    const { reply, text } = await exported(zone);
    expect(reply.headers.get("content-type")).toBe("text/dns; charset=utf-8");
    expect(reply.headers.get("content-disposition")).toBe(`attachment; filename="${zone}.zone"`);
    const owners = text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith(";"))
      .map((line) =>
        line
          .split("\t")
          .filter((_, i) => i === 0 || i === 3)
          .join(" "),
      );
    expect(owners).toEqual([
      `${zone}. SOA`,
      `${zone}. NS`,
      `${zone}. NS`,
      `${zone}. CAA`,
      `a.${zone}. A`,
      `*.a.${zone}. CNAME`,
      `z.${zone}. A`,
      `a.z.${zone}. TXT`,
    ]);
    expect((await put(copy, text.replaceAll(zone, copy))).status).toBe(200);
    const lines = (file: string) => file.split("\n").filter((line) => !line.includes("\tSOA\t"));
    expect(lines((await exported(copy)).text.replaceAll(copy, zone))).toEqual(lines(text));
  });

  test("orders names with escapes octet by octet", async () => {
    const zone = fresh();
    const owners = [
      "\\000",
      "\\001",
      "\\032a",
      "!",
      "\\$",
      "*",
      "-",
      "\\.",
      "\\.b",
      "a",
      "a\\001",
      "a-",
      "a\\.a",
      "b",
      "\\\\",
      "\\\\001",
      "\\\\.x",
      "\\127",
      "\\255",
      "\\.x.\\.",
      "a.\\.",
      "z.a",
    ];
    await put(zone, `${head}${owners.map((owner) => `${owner} A 192.0.2.1\n`).join("")}`);
    const { text } = await exported(zone);
    const printed = text.split("\n").flatMap((line) => (/\tA\t/.test(line) ? scanName(line.split("\t")[0]!) : []));
    expect(printed).toHaveLength(owners.length);
    expect(printed.map(printName)).toEqual(printed.toSorted(compareNames).map(printName));
  });

  test("is not sent to a client that already has it; HEAD gets only its size", async () => {
    const zone = fresh();
    // the serial is in the file
    await api.numbered(await put(zone, `${head}www A 192.0.2.1\n`));
    const url = `${api.url}/v1/export/zonefile/${zone}`;
    const headers = { "X-NSONE-Key": api.key };
    const { reply, text } = await exported(zone);
    const etag = reply.headers.get("etag")!;
    expect(etag).toBe(`"${hash("sha1", text)}"`);
    expect((await fetch(url, { headers: { ...headers, "If-None-Match": etag } })).status).toBe(304);
    const asked = await fetch(url, { method: "HEAD", headers });
    expect([asked.headers.get("content-length"), await asked.text()]).toEqual([`${Buffer.byteLength(text)}`, ""]);
  });

  test("leaves out records that only this service knows, and names them", async () => {
    const zone = fresh();
    await put(zone, `${head}www A 192.0.2.1\n`);
    await api.must("PUT", `zones/${zone}/alias.${zone}/ALIAS`, { answers: [{ answer: [`www.${zone}`] }] });
    const { text } = await exported(zone);
    expect(text).toContain(`; left out: alias.${zone} ALIAS\n`);
    expect(text).not.toContain("\tALIAS\t");
  });

  test("can be requested, checked and fetched", async () => {
    const zone = fresh();
    await put(zone, head);
    const status = { status: "COMPLETED", generated_at: expect.stringMatching(/^20.*Z$/), message: expect.any(String) };
    expect(await api.must("PUT", `export/zonefile/${zone}`)).toEqual(status);
    expect(await api.must("GET", `export/zonefile/${zone}/status`)).toEqual(status);
    expect((await api.call("GET", `export/zonefile/none.${zone}`)).status).toBe(404);
  });
});
