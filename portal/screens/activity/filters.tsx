/** The filters of the log; all of them are in the address. */
import { Button, Group, Select, TextInput } from "@mantine/core";
import { useAddresses } from "../../kit/address.ts";
import { localTime, secondsOf, timeZone } from "../../kit/time.tsx";
import { activityTexts as texts } from "../../text/activity.ts";

export const filterNames = ["type", "zone", "id", "user", "start", "end"] as const;

const isAbsolute = (text: string | undefined) => /^\d+$/.test(text ?? "");

/** The filters as the API takes them. */
export const queryOf = ({ type, zone, id, user, start, end }: Readonly<Record<string, string | undefined>>) => ({
  resource_type: type,
  resource_id: id,
  zone,
  user,
  start,
  end,
});

export function Filters({ types }: { readonly types: readonly string[] }) {
  const [{ type, zone, id, user, start, end }, set] = useAddresses(filterNames);
  const isBetween = isAbsolute(start) || isAbsolute(end);
  const known = new Set([...Object.keys(texts.types), ...types, ...(type ? [type] : [])]);
  const choices = [...known].map((value) => ({ value, label: texts.types[value] ?? value }));
  const times = Object.entries(texts.times).map(([value, label]) => ({ value, label }));
  const now = () => Math.floor(Date.now() / 1000);
  const choose = (time: string | null) =>
    time === "between"
      ? set({ start: String(now() - 86_400), end: String(now()) })
      : set({ start: time ?? undefined, end: undefined });
  const isFiltered = [type, zone, id, user, start, end].some(Boolean);
  return (
    <Group mb="sm" gap="xs" align="flex-end" role="search" aria-label={texts.filters}>
      <Select
        label={texts.type}
        data={choices}
        value={type ?? null}
        placeholder={texts.anyType}
        searchable
        clearable
        w={{ base: "calc(50% - 5px)", sm: 180 }}
        onChange={(value) => set({ type: value ?? undefined })}
      />
      <TextInput
        label={texts.zone}
        placeholder={texts.zoneHint}
        spellCheck={false}
        w={{ base: "calc(50% - 5px)", sm: 170 }}
        value={zone ?? ""}
        onChange={(event) => set({ zone: event.currentTarget.value })}
      />
      <TextInput
        label={texts.user}
        placeholder={texts.userHint}
        w={{ base: "calc(50% - 5px)", sm: 170 }}
        value={user ?? ""}
        onChange={(event) => set({ user: event.currentTarget.value })}
      />
      <TextInput
        label={texts.id}
        w={{ base: "calc(50% - 5px)", sm: 220 }}
        value={id ?? ""}
        onChange={(event) => set({ id: event.currentTarget.value })}
      />
      <Select
        label={texts.time}
        data={times}
        value={isBetween ? "between" : (start ?? "")}
        allowDeselect={false}
        w={{ base: "calc(50% - 5px)", sm: 150 }}
        onChange={choose}
      />
      {isBetween && (
        <>
          <Moment label={texts.from(timeZone())} at={start} onChange={(value) => set({ start: value })} />
          <Moment label={texts.until(timeZone())} at={end} onChange={(value) => set({ end: value })} />
        </>
      )}
      {isFiltered && (
        <Button variant="subtle" onClick={() => set({ type: "", zone: "", id: "", user: "", start: "", end: "" })}>
          {texts.clear}
        </Button>
      )}
    </Group>
  );
}

interface MomentProps {
  readonly label: string;
  readonly at: string | undefined;
  readonly onChange: (at: string) => void;
}

const Moment = ({ label, at, onChange }: MomentProps) => (
  <TextInput
    type="datetime-local"
    label={label}
    w={{ base: "100%", sm: 220 }}
    value={isAbsolute(at) ? localTime(Number(at)) : ""}
    onChange={(event) => {
      const seconds = secondsOf(event.currentTarget.value);
      if (seconds !== undefined) onChange(String(seconds));
    }}
  />
);
