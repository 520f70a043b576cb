/** The state that the edit of a row begins from, and that a write must still find. */
import { useState } from "react";
import type { Record as DnsRecord } from "../../../api/types.ts";
import { useRead } from "../../../kit/api.ts";
import { bodyOf } from "../../../kit/record-body.ts";

/** An ETag that no record has: the record is no longer as the table shows it. */
const other = '"other"';

const isSame = (a: DnsRecord, b: DnsRecord) => JSON.stringify(bodyOf(a)) === JSON.stringify(bodyOf(b));

interface Path {
  readonly zone: string;
  readonly domain: string;
  readonly type: string;
}

/** A function that resolves with the ETag of the record as the table shows it; undefined for a record that is not stored. */
export function useFirstState(path: Path, record: DnsRecord | undefined): () => Promise<string | undefined> {
  const options = { path, enabled: record !== undefined };
  const { data, isFetching, refetch } = useRead("GET /v1/zones/{zone}/{domain}/{type}", options);
  const [first] = useState({ etag: undefined as string | undefined });
  const begin = (read: typeof data) => {
    if (read && record) first.etag ??= isSame(read.data, record) ? read.etag : other;
    return first.etag;
  };
  if (!isFetching) begin(data);
  // a read that is on its way is waited for
  return async () => first.etag ?? (record && begin((await refetch({ cancelRefetch: false })).data));
}
