/** Every right with its value and the reasons; rights of several teams are granted if one team grants them. */
import { Group, SegmentedControl, Stack, Text } from "@mantine/core";
import type { EffectiveRights } from "../../../api/types.ts";
import { useAddress } from "../../../kit/address.ts";
import { useBodySchema } from "../../../kit/body-schema.ts";
import { plainOf } from "../../../kit/plain.ts";
import { ScrollTable } from "../../../kit/scroll-table.tsx";
import { rightsTexts as texts } from "../../../text/rights.ts";
import { lackingBeside, placeOf } from "./groups.ts";
import { May } from "./may.tsx";

type Rights = EffectiveRights["rights"];
type Reason = Rights[number]["reasons"][number];

export function EffectiveList({ rights }: { readonly rights: Rights }) {
  const [show, setShow] = useAddress("show", "all");
  const schema = useBodySchema("PUT /v1/account/teams").schema?.properties?.["permissions"];
  const aboutOf = (right: string) => {
    const [group = "", name = ""] = right.split(".");
    return plainOf(schema?.properties?.[group]?.properties?.[name]?.description ?? "");
  };
  const granted = rights.filter(({ allowed }) => allowed).length;
  const isGranted = (name: string) => rights.some(({ right, allowed }) => right === name && allowed);
  const shown = rights
    .toSorted((a, b) => placeOf(groupOf(a.right)) - placeOf(groupOf(b.right)))
    .filter(({ allowed }) => show === "all" || allowed === (show === "yes"));
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <Text size="sm">{texts.count(granted, rights.length)}</Text>
        <SegmentedControl
          size="xs"
          aria-label={texts.filter}
          value={show}
          onChange={setShow}
          data={Object.entries(texts.filters).map(([value, label]) => ({ value, label }))}
        />
      </Group>
      <ScrollTable
        label={texts.right}
        heads={[texts.right, texts.effect, texts.why]}
        rows={shown.map(({ right, allowed, reasons }) => {
          const lacking = lackingBeside(right, isGranted);
          return {
            id: right,
            cells: [
              <span key="right">
                {aboutOf(right)}{" "}
                <Text span c="dimmed" fz="xs" className="name">
                  {right}
                </Text>
              </span>,
              <May key="effect" is={allowed && lacking === undefined} />,
              <div key="why">
                {reasons.map((reason) => (
                  <div key={reason.team?.id ?? ""}>{whyOf(reason)}</div>
                ))}
                {lacking !== undefined && texts.lacking(lacking)}
              </div>,
            ],
          };
        })}
      />
    </Stack>
  );
}

const groupOf = (right: string) => right.slice(0, right.indexOf("."));

function whyOf({ team, allowed, reason }: Reason): string {
  return `${team?.name ?? texts.own}: ${wordsFor(reason, allowed)}`;
}

function wordsFor(reason: string, allowed: boolean): string {
  const like = /^left out: as (\w+)$/.exec(reason)?.[1];
  if (like !== undefined) return texts.reasonAs(like);
  if (reason === "left out" && !allowed) return texts.reasonOff;
  if (reason === "given") return allowed ? texts.reasonYes : texts.reasonNo;
  return (texts.reasons as { readonly [reason: string]: string })[reason] ?? reason;
}
