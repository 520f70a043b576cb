/** Asks whether requests for a zone or record, or from an address, would pass. The question is in the address of the page. */
import { Button, Group, List, Stack, Text, Title } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { ApiError } from "../../../api/client.ts";
import type { EffectiveRights } from "../../../api/types.ts";
import { ErrorNote, messageFor } from "../../../kit/error-note.tsx";
import { sending } from "../../../kit/form.tsx";
import { State } from "../../../kit/state.tsx";
import { TextField } from "../../../kit/text-field.tsx";
import { rightsTexts as texts } from "../../../text/rights.ts";
import type { Question } from "./use-effective.ts";

interface Props {
  readonly question: Question;
  readonly answer: EffectiveRights | undefined;
  readonly error: ApiError | null;
}

const fields = [
  ["zone", texts.zone, "example.com"],
  ["domain", texts.domain, "www.example.com"],
  ["type", texts.type, "A"],
  ["address", texts.address, "192.0.2.1"],
] as const;

export function Ask({ question, answer, error }: Props) {
  const [typed, setTyped] = useState<Question>(question);
  const navigate = useNavigate();
  const ask = () => {
    const asked = Object.fromEntries(fields.map(([name]) => [name, typed[name]?.trim() || undefined]));
    void navigate({ to: ".", search: ((before: object) => ({ ...before, ...asked })) as never, replace: true });
  };
  const isAtField = fields.some(([name]) => messageFor(error, name) !== undefined);
  return (
    <Stack gap="xs">
      <Title order={3}>{texts.ask}</Title>
      <Text size="sm" c="dimmed">
        {texts.askHint}
      </Text>
      <form onSubmit={sending(ask)}>
        <Group align="flex-start" gap="xs">
          {fields.map(([name, label, placeholder]) => (
            <TextField
              key={name}
              label={label}
              placeholder={placeholder}
              w={name === "type" ? 90 : 200}
              isName
              value={typed[name] ?? ""}
              error={messageFor(error, name)}
              onChange={(text) => setTyped({ ...typed, [name]: text })}
            />
          ))}
          <Button type="submit" variant="default" mt={24}>
            {texts.askAct}
          </Button>
        </Group>
      </form>
      {!isAtField && <ErrorNote error={error} />}
      {answer && (answer.calls || question.address !== undefined) && (
        <List listStyleType="none" spacing={4} size="sm" aria-label={texts.ask}>
          {question.address !== undefined && <Admitted address={question.address} lists={answer.allow_lists} />}
          {answer.calls?.map(({ call, allowed, reasons }) => (
            <List.Item key={call}>
              <Group gap="xs">
                <Text span size="sm" w={190}>
                  {texts.calls[call]}
                </Text>
                <State is={allowed ? "ok" : "refused"} text={allowed ? texts.may : texts.mayNot} />
                <Text span size="sm" c="dimmed">
                  {reasons.map(({ team, refused }) => `${team?.name ?? texts.own}: ${reasonOf(refused)}`).join("; ")}
                </Text>
              </Group>
            </List.Item>
          ))}
        </List>
      )}
    </Stack>
  );
}

interface AdmittedProps {
  readonly address: string;
  readonly lists: EffectiveRights["allow_lists"];
}

/** Whether requests from the address get in at all: every list has to let it in. */
function Admitted({ address, lists }: AdmittedProps) {
  const out = lists.filter(({ admits }) => admits === false);
  return (
    <List.Item>
      <Group gap="xs">
        <Text span size="sm" w={190}>
          {texts.comeFrom(address)}
        </Text>
        <State is={out.length === 0 ? "ok" : "refused"} text={out.length === 0 ? texts.may : texts.mayNot} />
        <Text span size="sm" c="dimmed">
          {lists.length === 0 ? texts.noLists : out.map(({ level }) => texts.lacks(texts.levels[level])).join("; ")}
        </Text>
      </Group>
    </List.Item>
  );
}

const reasonOf = (refused: string | null): string =>
  refused === null ? texts.allows : ((texts.refused as { readonly [what: string]: string })[refused] ?? refused);
