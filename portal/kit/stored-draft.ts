/** The draft as the service keeps it for the user: reading it, and storing what a change of it gives. */
import { ApiError, call } from "../api/client.ts";
import type { Draft } from "../api/types.ts";
import type { Edit } from "./draft-edits.ts";

/** A zone with the version that it has, or had. */
export type ZoneVersion = Draft["expect"][number];

/** Scripts may keep drafts under other names. */
const draftName = "Portal";

export type StoredDraft = Draft & { readonly etag: string | undefined };

/** The draft that pages show. */
export async function readDraft(signal?: AbortSignal): Promise<StoredDraft | null> {
  const { data: heads } = await call("GET /v1/drafts", { signal });
  const head = heads.find(({ name }) => name === draftName);
  if (!head) return null;
  const { data, etag } = await call("GET /v1/drafts/{id}", { path: { id: head.id }, signal });
  return { ...data, etag };
}

/** Changes the edits of the draft as it is now, which another tab may have changed. A draft without edits is deleted. */
export async function changeDraft(change: (edits: readonly Edit[]) => readonly Edit[]): Promise<StoredDraft | null> {
  const before = await readDraft();
  const records = [...change(before?.records ?? [])];
  if (records.length === 0) {
    if (before) await call("DELETE /v1/drafts/{id}", { path: { id: before.id } });
    return null;
  }
  const content = { records, expect: await versionsBegunFrom(records, before?.expect ?? []) };
  const { data, etag } = before
    ? await call("POST /v1/drafts/{id}", { path: { id: before.id }, body: content, ifMatch: before.etag })
    : await call("PUT /v1/drafts", { body: { name: draftName, ...content } });
  return { ...data, etag };
}

/** The versions from which the edits of each zone began. */
async function versionsBegunFrom(edits: readonly Edit[], known: readonly ZoneVersion[]): Promise<ZoneVersion[]> {
  const zones = [...new Set(edits.map(({ zone }) => zone))];
  const begun = known.filter(({ zone }) => zones.includes(zone));
  const others = zones.filter((zone) => !begun.some((one) => one.zone === zone));
  return [...begun, ...(await versionsOf(others))];
}

/** The present versions of zones; a zone that does not exist is left out. */
export async function versionsOf(zones: readonly string[], signal?: AbortSignal): Promise<ZoneVersion[]> {
  const found = zones.map(async (zone) => {
    try {
      const { data } = await call("GET /v1/zones/{zone}", { path: { zone }, query: { records: false }, signal });
      return [{ zone, serial: data.serial }];
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return [];
      throw error;
    }
  });
  return (await Promise.all(found)).flat();
}
