/** The form that creates or changes a source: its name, its type, and what the type's listing asks for. */
import { Select, Text } from "@mantine/core";
import type { Source } from "../../api/types.ts";
import { useRead, useWrite } from "../../kit/api.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { Fields, type Values } from "../../kit/fields.tsx";
import { FormDialog } from "../../kit/form.tsx";
import { useKept } from "../../kit/kept.ts";
import { plainOf } from "../../kit/plain.ts";
import { TextField } from "../../kit/text-field.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";

interface Props {
  /** The source to change; a new one when left out. */
  readonly source?: Source;
  readonly onSaved: (source: Source) => void;
  readonly onClose: () => void;
}

interface Typed {
  readonly name: string;
  readonly sourcetype: string;
  readonly config: Values;
}

export function SourceForm({ source, onSaved, onClose }: Props) {
  const types = useRead("GET /v1/data/sourcetypes").data?.data ?? {};
  const [first = ""] = Object.keys(types);
  const { name: known = "", config: knownConfig = {}, sourcetype: knownType = "" } = source ?? {};
  const before: Typed = { name: known, sourcetype: knownType, config: knownConfig };
  const [typed, keep, forget] = useKept<Typed>(`source:${source?.id ?? "new"}`, before);
  const sourcetype = typed.sourcetype || first;
  const create = useWrite("PUT /v1/data/sources", ["GET /v1/data/"]);
  const change = useWrite("POST /v1/data/sources/{sourceid}", ["GET /v1/data/"]);
  const { error, isPending } = source ? change : create;
  const type = types[sourcetype];
  const submit = () => {
    const onSuccess = ({ data }: { readonly data: Source }) => {
      forget();
      onSaved(data);
    };
    const { name, config } = typed;
    if (source) change.mutate({ path: { sourceid: source.id }, body: { name, config } }, { onSuccess });
    else create.mutate({ body: { name, sourcetype, config } }, { onSuccess });
  };
  return (
    <FormDialog
      title={source ? texts.changeSource : texts.newSource}
      act={source ? texts.saveSource : texts.createSource}
      isPending={isPending}
      error={error}
      fields={["name", "sourcetype", "config"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.sourceName}
        description={texts.sourceHint}
        required
        maxLength={255}
        data-autofocus
        value={typed.name}
        error={messageFor(error, "name")}
        onChange={(next) => keep({ ...typed, name: next })}
      />
      {!source && (
        <Select
          label={texts.type}
          data={Object.entries(types).map(([value, { shortdesc }]) => ({
            value,
            label: `${plainOf(shortdesc)} (${value})`,
          }))}
          value={sourcetype}
          allowDeselect={false}
          error={messageFor(error, "sourcetype")}
          onChange={(next) => keep({ ...typed, sourcetype: next ?? "", config: {} })}
        />
      )}
      {type && (
        <>
          <Text size="sm" c="dimmed">
            {plainOf(type.desc)}
          </Text>
          <Fields
            listing={type.config}
            values={typed.config}
            onChange={(config) => keep({ ...typed, config })}
            messageOf={(name) => messageFor(error, `config.${name}`)}
          />
        </>
      )}
    </FormDialog>
  );
}
