/** A zone that is copied from another server once, with its progress, and is changed here from then on. */
import { call } from "../../api/client.ts";
import { importTexts } from "../../text/new-zone.ts";
import { SourceFields } from "../zone/transfers/source-fields.tsx";
import { ImportForm } from "./import-form.tsx";
import { NameField } from "./name-field.tsx";
import { useImport } from "./use-import.ts";
import { useSource } from "./use-source.ts";

export function FromTransfer() {
  const source = useSource();
  const { state, run } = useImport(source.forget);
  const send = (partial: boolean) =>
    run(async (zone, signal) => {
      const body = { secondary: source.secondary() };
      return (await call("PUT /v1/import/transfer/{zone}", { path: { zone }, query: { partial }, body, signal })).data;
    });
  return (
    <ImportForm
      state={state}
      texts={importTexts.transfer}
      isReady={source.isNamed}
      isShown={({ field = "" }) => field.startsWith("secondary.")}
      onSend={send}
    >
      {(error) => (
        <>
          <NameField error={error} />
          <SourceFields {...source.fieldsWith(error)} />
        </>
      )}
    </ImportForm>
  );
}
