/** A list of names or addresses, one a line. What is typed stays as it is until the field is left. */
import { Textarea } from "@mantine/core";
import { useState } from "react";
import { entriesOf, linesOf } from "./lines.ts";

interface Props {
  readonly label: string;
  readonly description?: string | undefined;
  readonly value: readonly string[];
  readonly error?: string | undefined;
  readonly onChange: (value: string[]) => void;
}

export function LinesField({ label, description, value, error, onChange }: Props) {
  const [typed, setTyped] = useState<string>();
  return (
    <Textarea
      label={label}
      description={description}
      error={error}
      autosize
      minRows={2}
      maxRows={12}
      spellCheck={false}
      autoCapitalize="none"
      classNames={{ input: "name" }}
      value={typed ?? linesOf(value)}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(entriesOf(event.currentTarget.value));
      }}
      onBlur={() => setTyped(undefined)}
    />
  );
}
