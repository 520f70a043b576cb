/** A field for one line of text; names and addresses are in a face of equal widths, and are not corrected. */
import { TextInput, type TextInputProps } from "@mantine/core";

interface Props extends Omit<TextInputProps, "onChange"> {
  readonly onChange: (text: string) => void;
  readonly isName?: boolean;
}

const ofName = { classNames: { input: "name" }, spellCheck: false, autoCapitalize: "none" };

export const TextField = ({ onChange, isName = false, ...rest }: Props) => (
  <TextInput
    autoComplete="off"
    {...(isName && ofName)}
    {...rest}
    onChange={(event) => onChange(event.currentTarget.value)}
  />
);
