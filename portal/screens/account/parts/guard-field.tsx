/** The choice when large deletions need a confirmation. */
import { Select } from "@mantine/core";
import { accountTexts as texts } from "../../../text/account.ts";

interface Props {
  /** To what the choice applies. */
  readonly hint: string;
  /** The meaning of no choice. */
  readonly unset: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (value: string) => void;
}

export const GuardField = ({ hint, unset, value, error, onChange }: Props) => (
  <Select
    maw={480}
    label={texts.guard}
    description={hint}
    allowDeselect={false}
    data={[
      { value: "", label: unset },
      ...Object.entries(texts.guards).map(([guard, label]) => ({ value: guard, label: `${label} (${guard})` })),
    ]}
    value={value}
    error={error}
    onChange={(guard) => onChange(guard ?? "")}
  />
);

/** Changes as a body has them: null is no choice. */
export const withGuard = <T extends { readonly deletion_guard?: string }>({
  deletion_guard: guard,
  ...changes
}: T) => ({
  ...changes,
  ...(guard === undefined ? {} : { deletion_guard: guard === "" ? null : guard }),
});
