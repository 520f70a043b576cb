/** The addresses from which a user or key may come. */
import { Stack, Switch } from "@mantine/core";
import { accountTexts as texts } from "../../../text/account.ts";
import { LinesField } from "./lines-field.tsx";

export interface Addresses {
  readonly ip_whitelist: readonly string[];
  readonly ip_whitelist_strict: boolean;
}

interface Props {
  readonly value: Addresses;
  readonly error?: string | undefined;
  readonly strictError?: string | undefined;
  readonly onChange: (value: Addresses) => void;
}

export function AddressesField({ value, error, strictError, onChange }: Props) {
  const { ip_whitelist, ip_whitelist_strict } = value;
  const meaning = ip_whitelist_strict
    ? ip_whitelist.length === 0
      ? texts.strictEmpty
      : undefined
    : ip_whitelist.length > 0
      ? texts.addressesOff
      : undefined;
  return (
    <Stack gap="xs">
      <LinesField
        label={texts.addresses}
        description={texts.addressesHint}
        value={ip_whitelist}
        error={error}
        onChange={(entries) => onChange({ ...value, ip_whitelist: entries })}
      />
      <Switch
        label={texts.strict}
        description={meaning}
        error={strictError}
        checked={ip_whitelist_strict}
        onChange={(event) => onChange({ ...value, ip_whitelist_strict: event.currentTarget.checked })}
      />
    </Stack>
  );
}
