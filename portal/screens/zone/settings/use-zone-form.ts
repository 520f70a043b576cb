/** A form for some fields of a zone: only fields that were changed are sent, so edits of others stay. */
import { notifications } from "@mantine/notifications";
import type { ZoneBody } from "../../../api/types.ts";
import { useWrite } from "../../../kit/api.ts";
import { messageFor } from "../../../kit/error-note.tsx";
import { useKept } from "../../../kit/kept.ts";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";

export function useZoneForm<T extends object>(zone: string, form: string, stored: T) {
  const [typed, keep, forget] = useKept<Partial<T>>(`zone:${zone}:${form}`, {});
  const write = useWrite("POST /v1/zones/{zone}", ["GET /v1/zones"]);
  const names = Object.keys(typed) as (keyof T & string)[];
  const isChanged = names.some((name) => JSON.stringify(typed[name]) !== JSON.stringify(stored[name]));
  const fieldNames = Object.keys(stored);
  return {
    values: { ...stored, ...typed },
    set: (values: Partial<T>) => keep({ ...typed, ...values }),
    reset: () => {
      forget();
      write.reset();
    },
    save(body: ZoneBody) {
      const onSuccess = () => {
        forget();
        notifications.show({ message: texts.saved, autoClose: 4000 });
      };
      write.mutate({ path: { zone }, body }, { onSuccess });
    },
    isChanged,
    isPending: write.isPending,
    messageFor: (field: string) => messageFor(write.error, field),
    /** The refusal, if it is about none of the fields. */
    error: fieldNames.some((field) => messageFor(write.error, field) !== undefined) ? null : write.error,
  };
}
