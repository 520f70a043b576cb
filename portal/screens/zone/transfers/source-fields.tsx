/** The fields that say which server a zone comes from. The secret of a key is never kept. */
import { Checkbox, Group, PasswordInput, Select, Stack, Textarea, TextInput } from "@mantine/core";
import { wordOf } from "../../../kit/word.tsx";
import { transfersTexts as texts } from "../../../text/zone-transfers.ts";
import type { Source } from "./read.ts";

const algorithms = ["sha256", "sha512", "sha384", "sha224", "sha1", "md5"].map((name) => `hmac-${name}`);

interface Props {
  readonly values: Source;
  readonly secret: string;
  readonly isSecretStored: boolean;
  readonly messageFor: (field: string) => string | undefined;
  readonly onChange: (values: Partial<Source>) => void;
  readonly onSecret: (secret: string) => void;
}

export function SourceFields({ values, secret, isSecretStored, messageFor, onChange, onSecret }: Props) {
  return (
    <Stack gap="sm">
      <Group gap="xs" align="flex-start">
        <TextInput
          label={wordOf(texts.ip, "primary_ip")}
          required
          spellCheck={false}
          value={values.ip}
          error={messageFor("secondary.primary_ip")}
          onChange={(event) => onChange({ ip: event.currentTarget.value })}
        />
        <TextInput
          label={wordOf(texts.port, "primary_port")}
          inputMode="numeric"
          placeholder={values.isTls ? "853" : "53"}
          value={values.port}
          error={messageFor("secondary.primary_port")}
          onChange={(event) => onChange({ port: event.currentTarget.value })}
        />
      </Group>
      <Textarea
        label={wordOf(texts.others, "other_ips")}
        description={texts.othersAbout}
        autosize
        value={values.others}
        error={messageFor("secondary.other_ips") ?? messageFor("secondary.other_ports")}
        onChange={(event) => onChange({ others: event.currentTarget.value })}
      />
      <Checkbox
        label={wordOf(texts.tsig, "tsig")}
        checked={values.isSigned}
        onChange={(event) => onChange({ isSigned: event.currentTarget.checked })}
      />
      {values.isSigned && (
        <Group gap="xs" align="flex-start">
          <TextInput
            label={texts.tsigName}
            value={values.tsigName}
            error={messageFor("secondary.tsig.name")}
            onChange={(event) => onChange({ tsigName: event.currentTarget.value })}
          />
          <Select
            label={texts.tsigHash}
            data={algorithms}
            allowDeselect={false}
            value={values.tsigHash}
            error={messageFor("secondary.tsig.hash")}
            onChange={(hash) => onChange({ tsigHash: hash ?? "hmac-sha256" })}
          />
          <PasswordInput
            label={texts.tsigKey}
            w={240}
            autoComplete="off"
            description={isSecretStored ? texts.tsigKept : undefined}
            value={secret}
            error={messageFor("secondary.tsig.key")}
            onChange={(event) => onSecret(event.currentTarget.value)}
          />
        </Group>
      )}
      <Checkbox
        label={wordOf(texts.tls, "tls")}
        checked={values.isTls}
        onChange={(event) => onChange({ isTls: event.currentTarget.checked })}
      />
      {values.isTls && (
        <TextInput
          label={texts.tlsName}
          value={values.tlsName}
          error={messageFor("secondary.tls")}
          onChange={(event) => onChange({ tlsName: event.currentTarget.value })}
        />
      )}
    </Stack>
  );
}
