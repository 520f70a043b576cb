/** A zone that is copied from another server once, with its progress, and is changed here from then on. */
import { useState } from "react";
import { call } from "../../api/client.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { importTexts } from "../../text/new-zone.ts";
import { secondaryOf } from "../zone/transfers/read.ts";
import { SourceFields } from "../zone/transfers/source-fields.tsx";
import { ImportForm } from "./import-form.tsx";
import { NameField } from "./name-field.tsx";
import { useImport } from "./use-import.ts";
import { useSource } from "./use-source.ts";

export function FromTransfer() {
  const [source, setSource, forget] = useSource();
  const [secret, setSecret] = useState("");
  const { state, run } = useImport(forget);
  const send = (partial: boolean) =>
    run(async (zone, signal) => {
      const body = { secondary: secondaryOf(source, secret, null) };
      return (await call("PUT /v1/import/transfer/{zone}", { path: { zone }, query: { partial }, body, signal })).data;
    });
  return (
    <ImportForm
      state={state}
      texts={importTexts.transfer}
      isReady={source.ip.trim() !== ""}
      isShown={({ field = "" }) => field.startsWith("secondary.")}
      onSend={send}
    >
      {(error) => (
        <>
          <NameField error={error} />
          <SourceFields
            values={source}
            secret={secret}
            isSecretStored={false}
            messageFor={(field) => messageFor(error, field)}
            onChange={(values) => setSource({ ...source, ...values })}
            onSecret={setSecret}
          />
        </>
      )}
    </ImportForm>
  );
}
