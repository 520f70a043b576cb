/** The form that creates or changes a feed: its name, what its type's listing asks for, how long values last, fallback. */
import { Input, NumberInput } from "@mantine/core";
import type { Feed, Source } from "../../api/types.ts";
import { useWrite } from "../../kit/api.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { Fields, type Values } from "../../kit/fields.tsx";
import { FormDialog } from "../../kit/form.tsx";
import { useKept } from "../../kit/kept.ts";
import { TextField } from "../../kit/text-field.tsx";
import { feedsTexts as texts } from "../../text/feeds.ts";
import type { SourceType } from "./source-push.tsx";
import { type Table, ValuesForm } from "./values-form.tsx";

interface Props {
  readonly source: Source;
  readonly type: SourceType | undefined;
  /** The feed to change; a new one when left out. */
  readonly feed?: Feed;
  readonly onClose: () => void;
}

interface Typed {
  readonly name: string;
  readonly config: Values;
  readonly max_age: number | null;
  readonly fallback: Table;
}

export function FeedForm({ source, type, feed, onClose }: Props) {
  const { name = "", config = {}, max_age = null, fallback = null } = feed ?? {};
  const before = { name, config, max_age, fallback: fallback ?? {} };
  const [typed, keep, forget] = useKept<Typed>(`feed:${feed?.id ?? source.id}`, before);
  const create = useWrite("PUT /v1/data/feeds/{sourceid}", ["GET /v1/data/"]);
  const change = useWrite("POST /v1/data/feeds/{sourceid}/{feedid}", ["GET /v1/data/"]);
  const { error, isPending } = feed ? change : create;
  const submit = () => {
    const isEmpty = Object.keys(typed.fallback).length === 0;
    const body = { ...typed, fallback: isEmpty ? null : { ...typed.fallback } };
    const onSuccess = () => {
      forget();
      onClose();
    };
    if (feed) change.mutate({ path: { sourceid: source.id, feedid: feed.id }, body }, { onSuccess });
    else create.mutate({ path: { sourceid: source.id }, body }, { onSuccess });
  };
  return (
    <FormDialog
      title={feed ? texts.changeFeed : texts.newFeed}
      act={feed ? texts.saveFeed : texts.createFeed}
      isPending={isPending}
      error={error}
      fields={["name", "config", "max_age", "fallback"]}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField
        label={texts.feedName}
        description={texts.feedHint}
        required
        maxLength={255}
        data-autofocus
        value={typed.name}
        error={messageFor(error, "name")}
        onChange={(next) => keep({ ...typed, name: next })}
      />
      <Fields
        listing={type?.feed_config ?? {}}
        values={typed.config}
        onChange={(next) => keep({ ...typed, config: next })}
        messageOf={(field) => messageFor(error, `config.${field}`)}
      />
      <NumberInput
        label={texts.maxAgeLabel}
        description={texts.maxAgeHint}
        min={1}
        allowDecimal={false}
        value={typed.max_age ?? ""}
        error={messageFor(error, "max_age")}
        onChange={(next) => keep({ ...typed, max_age: next === "" ? null : Number(next) })}
      />
      <Input.Wrapper
        label={texts.fallback}
        description={texts.fallbackHint}
        labelElement="div"
        error={messageFor(error, "fallback")}
      >
        <ValuesForm
          values={typed.fallback}
          keys={type?.compatible_meta ?? []}
          onChange={(next) => keep({ ...typed, fallback: next })}
        />
      </Input.Wrapper>
    </FormDialog>
  );
}
