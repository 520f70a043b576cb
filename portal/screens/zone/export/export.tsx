/** The zone as a file: as other name servers read it, as a table, or as the API writes it. */
import { Button, Menu } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import { call } from "../../../api/client.ts";
import type { Record as DnsRecord, Zone } from "../../../api/types.ts";
import { printAnswer } from "../../../kit/answer-text.ts";
import { type KnownTypes, useKnownTypes } from "../../../kit/record-types.ts";
import { csvOf, saveFile } from "../../../kit/save-file.ts";
import { exportTexts as texts } from "../../../text/zone-export.ts";
import { readRecords } from "../records/use-records.ts";

export function Export({ zone }: { readonly zone: Zone }) {
  const [isPending, setPending] = useState(false);
  const known = useKnownTypes();
  const name = zone.zone;
  const run = async (make: () => Promise<void>) => {
    setPending(true);
    try {
      await make();
    } catch (error) {
      const message = texts.failed(error instanceof Error ? error.message : String(error));
      notifications.show({ message, color: "red" });
    }
    setPending(false);
  };
  const zoneFile = async () => {
    const { data } = await call("GET /v1/export/zonefile/{zone}", { path: { zone: name } });
    saveFile(`${name}.zone`, String(data), "text/plain");
  };
  const csv = async () => {
    const rows = (await readRecords(name)).flatMap((record) => rowsOf(record, known));
    saveFile(`${name}.csv`, csvOf([texts.columns, ...rows]), "text/csv");
  };
  const json = async () => {
    const records = await readRecords(name);
    saveFile(`${name}.json`, JSON.stringify({ ...zone, records }, undefined, 2), "application/json");
  };
  const forms = [
    [texts.zoneFile, zoneFile],
    [texts.csv, csv],
    [texts.json, json],
  ] as const;
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" size="compact-sm" loading={isPending}>
          {texts.export}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {forms.map(([text, make]) => (
          <Menu.Item key={text} onClick={() => void run(make)}>
            {text}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** A row for each answer; one without for a record that has none. */
function rowsOf({ domain, type, ttl, answers, filters, link }: DnsRecord, known: KnownTypes): (string | number)[][] {
  const steered = filters.length > 0 ? "yes" : "";
  const rest = [steered, link ?? ""];
  if (answers.length === 0) return [[domain, type, ttl, "", "", ...rest]];
  return answers.map(({ answer, region = "" }) => [
    domain,
    type,
    ttl,
    printAnswer(answer, known.isText(type)),
    region,
    ...rest,
  ]);
}
