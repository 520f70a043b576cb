/** Creates a zone and opens it. What was typed is kept until then. */
import type { ZoneBody } from "../../api/types.ts";
import { useOpen } from "../../app/link.tsx";
import { useWrite } from "../../kit/api.ts";
import { useKept } from "../../kit/kept.ts";

/** The name that is typed; the same in all forms of the page. */
export const useName = () => useKept("newzone:name", "");

export function useCreate(forget: () => void = () => {}) {
  const open = useOpen();
  const [name, , forgetName] = useName();
  const write = useWrite("PUT /v1/zones/{zone}", ["GET /v1/zones"]);
  const create = (body: ZoneBody) =>
    write.mutate(
      { path: { zone: zoneOf(name) }, body },
      {
        onSuccess: ({ data: { zone } }) => {
          forgetName();
          forget();
          open({ to: "zone", params: { zone } });
        },
      },
    );
  return { create, isPending: write.isPending, error: write.error };
}

/** A name as the API takes it in a path. */
export const zoneOf = (typed: string): string => typed.trim().toLowerCase().replace(/\.$/, "");
