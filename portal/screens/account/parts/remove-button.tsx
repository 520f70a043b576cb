/** A button that deletes something after a question; if much hangs on it, its name has to be typed. */
import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useState } from "react";
import type { ApiError } from "../../../api/client.ts";
import { Confirm } from "../../../kit/confirm.tsx";

interface Props {
  readonly name?: string;
  readonly act: string;
  readonly title: string;
  readonly text: string;
  /** What is said afterwards. */
  readonly done: string;
  readonly size?: "compact-sm";
  /** Names the button among others with the same text. */
  readonly label?: string;
  readonly write: {
    readonly isPending: boolean;
    readonly error: ApiError | null;
    readonly reset: () => void;
  };
  readonly onRemove: (onSuccess: () => void) => void;
  readonly onRemoved?: () => void;
}

export function RemoveButton({ name, act, title, text, done, size, label, write, onRemove, onRemoved }: Props) {
  const [isAsked, setAsked] = useState(false);
  const close = () => {
    setAsked(false);
    write.reset();
  };
  const confirm = () =>
    onRemove(() => {
      close();
      notifications.show({ message: done });
      onRemoved?.();
    });
  return (
    <>
      <Button variant="light" color="red" {...(size && { size })} aria-label={label} onClick={() => setAsked(true)}>
        {act}
      </Button>
      {isAsked && (
        <Confirm
          title={title}
          text={text}
          act={act}
          name={name}
          isPending={write.isPending}
          error={write.error}
          onConfirm={confirm}
          onClose={close}
        />
      )}
    </>
  );
}
