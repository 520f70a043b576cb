/**
 * The rights of a user, key or team, built from the API's description: each right is set, denied, or left out, and the
 * meaning of a right that is left out is shown. Zones and records belong to the group `dns`.
 */
import { SegmentedControl, Stack, Text, Title } from "@mantine/core";
import type { ApiError } from "../../../api/client.ts";
import { useBodySchema } from "../../../kit/body-schema.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { FlagRow } from "./flag-row.tsx";
import type { Given } from "./given.ts";
import { groupsOf } from "./groups.ts";
import { StartFrom } from "./start-from.tsx";
import { ZoneRules } from "./zone-rules.tsx";

interface Props {
  readonly given: Given;
  readonly onChange: (given: Given) => void;
  /** The names of all rights that this service has, such as `dns.view_zones`. */
  readonly known: readonly string[] | undefined;
  /** Whether something new gets these rights: common sets are offered then. */
  readonly isNew?: boolean;
  readonly error: ApiError | null;
}

export function Matrix({ given, onChange, known, isNew = false, error }: Props) {
  const body = useBodySchema("PUT /v1/account/teams");
  const schema = body.schema?.properties?.["permissions"];
  if (body.error) return <ErrorNote error={body.error} onRetry={body.retry} />;
  if (!schema) return <Text size="sm">{texts.loading}</Text>;
  const groups = groupsOf(schema, known);
  return (
    <Stack gap="lg" maw={960}>
      {isNew && <StartFrom flags={groups.flatMap(({ flags }) => flags)} onChange={onChange} />}
      <Stack gap={4} align="flex-start">
        <Text size="sm" fw={600} id="others">
          {texts.others}{" "}
          <Text span c="dimmed" fw={400} fz="xs" className="name">
            default
          </Text>
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby="others"
          data={[
            { value: "allow", label: texts.othersMay },
            { value: "deny", label: texts.othersMayNot },
          ]}
          value={given.denies ? "deny" : "allow"}
          onChange={(value) => onChange({ ...given, denies: value === "deny" })}
        />
        <Text size="xs" c="dimmed">
          {texts.othersHint}
        </Text>
      </Stack>
      {groups.map(({ name, title, flags }) => (
        <section key={name} aria-label={title}>
          <Title order={3} mb={4}>
            {title}{" "}
            <Text span c="dimmed" fw={400} fz="xs" className="name">
              {name}
            </Text>
          </Title>
          {flags.map((flag) => (
            <FlagRow key={flag.name} flag={flag} given={given} onChange={onChange} />
          ))}
          {name === "dns" && <ZoneRules given={given} onChange={onChange} error={error} />}
        </section>
      ))}
    </Stack>
  );
}
