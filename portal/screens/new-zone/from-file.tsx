/** A zone from a zone file that is dropped or chosen, with its progress, and each message at its line. */
import { useState } from "react";
import { call } from "../../api/client.ts";
import type { ImportJob } from "../../api/types.ts";
import { importTexts, newZoneTexts as texts } from "../../text/new-zone.ts";
import { FileField } from "./file-field.tsx";
import { ImportForm } from "./import-form.tsx";
import { NameField } from "./name-field.tsx";
import { Providers } from "./providers.tsx";
import { useName } from "./use-create.ts";
import { useImport } from "./use-import.ts";

/** Octets of a file in which its zone's name is looked for. */
const head = 16_384;

export function FromFile() {
  const [name, setName] = useName();
  const [file, setFile] = useState<File>();
  const [hint, setHint] = useState<string>(texts.nameHint);
  const { state, run, reset } = useImport();

  const choose = async (chosen: File) => {
    setFile(chosen);
    reset();
    if (name !== "") return;
    const found = zoneNameIn(await chosen.slice(0, head).text());
    if (found === undefined) return;
    setName(found);
    setHint(texts.nameFromFile);
  };
  const send = (partial: boolean) =>
    run(async (zone, signal) => {
      const body = file as unknown as string; // a file is sent as it is
      const query = { async: true, partial };
      const { data } = await call("PUT /v1/import/zonefile/{zone}", { path: { zone }, query, body, signal });
      return data as ImportJob;
    });
  return (
    <ImportForm state={state} texts={importTexts.file} isReady={file !== undefined} onSend={send}>
      {(error) => (
        <>
          <FileField file={file} onChoose={(chosen) => void choose(chosen)} />
          <NameField error={error} hint={hint} isFirst={false} />
          <Providers zone={name} />
        </>
      )}
    </ImportForm>
  );
}

/** The name of the zone, as `$ORIGIN` or the owner of the SOA record says. */
function zoneNameIn(text: string): string | undefined {
  const [, origin] = /^\$ORIGIN\s+(\S+?)\.?\s*(?:;.*)?$/im.exec(text) ?? [];
  const [, owner] = /^([^\s;@$]\S*?)\.\s+(?:\S+\s+){0,2}SOA\s/im.exec(text) ?? [];
  const name = owner ?? origin;
  return name === undefined || name === "" ? undefined : name.toLowerCase();
}
