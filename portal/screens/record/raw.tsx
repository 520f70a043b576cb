/** The whole record as JSON, in the shape in which the API takes it. */
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { recordTexts as texts } from "../../text/record.ts";
import { bodyOf, type Edited, editedFrom } from "./model.ts";

interface Props {
  readonly edited: Edited;
  readonly error: string | undefined;
  readonly onChange: (edited: Edited) => void;
}

const printed = (edited: Edited) => JSON.stringify(bodyOf(edited), undefined, 2);

export function Raw({ edited, error, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  const found = typed === undefined ? undefined : editedFrom(typed);
  // what was typed stays as it is while it means what is edited, and is replaced when somebody else's state is taken
  const isMine = typeof found === "string" || (found && printed(found) === printed(edited));
  const change = (text: string) => {
    setTyped(text);
    const next = editedFrom(text);
    if (typeof next !== "string") onChange(next);
  };
  return (
    <Textarea
      label={texts.raw}
      description={texts.rawHint}
      autosize
      minRows={12}
      maxRows={40}
      spellCheck={false}
      classNames={{ input: "name" }}
      value={typed !== undefined && isMine ? typed : printed(edited)}
      error={typeof found === "string" ? found : error}
      onChange={(event) => change(event.currentTarget.value)}
    />
  );
}
