/** A button beside an answer whose type has aids: a form composes the answer, which is shown before it is used. */
import { ActionIcon, Alert, Button, Code, Group, Modal, Select, Stack, Text } from "@mantine/core";
import { IconWand } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Fields, type Values } from "../../../kit/fields.tsx";
import { aidTexts as texts } from "../../../text/aids.ts";
import { kitTexts } from "../../../text/kit.ts";
import type { Aid, Parts } from "./aid.ts";
import { aidsOf } from "./aids.ts";

interface Props {
  readonly type: string;
  /** The answer, for people who hear the page. */
  readonly of: string;
  readonly onUse: (parts: Parts) => void;
}

export function AidButton({ type, of, onUse }: Props) {
  const [isOpen, setOpen] = useState(false);
  const aids = aidsOf(type);
  if (aids.length === 0) return null;
  const use = (parts: Parts) => {
    setOpen(false);
    onUse(parts);
  };
  return (
    <>
      <ActionIcon variant="subtle" aria-label={`${texts.open}: ${of}`} onClick={() => setOpen(true)}>
        <IconWand size={16} />
      </ActionIcon>
      {isOpen && <AidForm aids={aids} onUse={use} onClose={() => setOpen(false)} />}
    </>
  );
}

interface FormProps {
  readonly aids: readonly Aid[];
  readonly onUse: (parts: Parts) => void;
  readonly onClose: () => void;
}

function AidForm({ aids, onUse, onClose }: FormProps) {
  const [title, setTitle] = useState(aids[0]!.title);
  const [values, setValues] = useState<Values>({});
  const aid = aids.find((one) => one.title === title)!;
  const composed = useComposed(aid, values);
  const choose = (next: string | null) => {
    setTitle(next ?? title);
    setValues({});
  };
  return (
    <Modal opened onClose={onClose} title={aids.length === 1 ? title : texts.open} size="lg">
      <Stack>
        {aids.length > 1 && (
          <Select label={texts.form} data={aids.map((one) => one.title)} value={title} onChange={choose} />
        )}
        <Text size="sm">{aid.about}</Text>
        <Fields listing={aid.listing} values={values} onChange={setValues} />
        {composed instanceof Error ? (
          <Alert color="yellow">{composed.message}</Alert>
        ) : (
          <div>
            <Text size="sm" fw={500}>
              {texts.preview}
            </Text>
            <Code block>{composed?.join(" ")}</Code>
          </div>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {kitTexts.cancel}
          </Button>
          <Button
            disabled={composed === undefined || composed instanceof Error}
            onClick={() => composed && !(composed instanceof Error) && onUse(composed)}
          >
            {texts.use}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** The answer of the values, or why there is none; undefined until required values are given. */
function useComposed(aid: Aid, values: Values): Parts | Error | undefined {
  const [composed, setComposed] = useState<Parts | Error>();
  useEffect(() => {
    let isCurrent = true;
    const isComplete = Object.entries(aid.listing).every(([name, { required }]) => !required || Boolean(values[name]));
    const compose = async () => (isComplete ? await aid.compose(values) : undefined);
    const fail = (error: unknown) => (error instanceof DOMException ? new Error(texts.noBase64) : (error as Error));
    void compose()
      .catch(fail)
      .then((next) => isCurrent && setComposed(next));
    return () => {
      isCurrent = false;
    };
  }, [aid, values]);
  return composed;
}
