/** A form: its fields, a refusal that is about none of them, and its buttons; in the page or in a dialogue. */
import { Button, Group, Modal, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import type { ApiError } from "../api/client.ts";
import { kitTexts } from "../text/kit.ts";
import { ErrorNote, messageFor } from "./error-note.tsx";

interface Props {
  /** The text of the button that sends: a verb with its object. */
  readonly act: string;
  readonly isPending: boolean;
  readonly error: ApiError | null;
  /** The fields that show messages about them. */
  readonly fields?: readonly string[];
  /** Whether the page has a more important button. */
  readonly isPlain?: boolean;
  readonly onSubmit: () => void;
  /** A button beside: its text and its act. */
  readonly other?: readonly [text: string, act: () => void];
  readonly maw?: number;
  readonly children: ReactNode;
}

export function Form({ other, maw, onSubmit, children, ...rest }: Props) {
  return (
    <form onSubmit={sending(onSubmit)}>
      <Stack gap="sm" maw={maw}>
        {children}
        <Refusal {...rest} />
        <Group>
          <Submit {...rest} />
          {other && (
            <Button variant="default" onClick={other[1]}>
              {other[0]}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

type DialogProps = Omit<Props, "other" | "maw"> & { readonly title: string; readonly onClose: () => void };

export function FormDialog({ title, onClose, onSubmit, children, ...rest }: DialogProps) {
  return (
    <Modal opened onClose={onClose} title={title}>
      <form onSubmit={sending(onSubmit)}>
        <Stack>
          {children}
          <Refusal {...rest} />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {kitTexts.cancel}
            </Button>
            <Submit {...rest} />
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A handler that sends a form without leaving the page. */
export const sending = (send: () => void) => (event: FormEvent) => {
  event.preventDefault();
  send();
};

const Refusal = ({ error, fields = [] }: Pick<Props, "error" | "fields">) => (
  <ErrorNote error={fields.some((field) => messageFor(error, field) !== undefined) ? null : error} />
);

const Submit = ({ act, isPending, isPlain = false }: Pick<Props, "act" | "isPending" | "isPlain">) => (
  <Button type="submit" {...(isPlain && { variant: "default" })} loading={isPending}>
    {act}
  </Button>
);
