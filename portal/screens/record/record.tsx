/** The page of a record: what DNS says now, the answers and the chain beside the simulator, and saving. */

import { useParams } from "@tanstack/react-router";
import { useMemo } from "react";
import { ApiError } from "../../api/client.ts";
import { useAddress } from "../../kit/address.ts";
import { useRead } from "../../kit/api.ts";
import { Loading } from "../../kit/loading.tsx";
import { Page } from "../../kit/page.tsx";
import { Editor } from "./editor.tsx";
import { editedOf, emptyRecord } from "./model.ts";

export function Screen() {
  const params = useParams({ strict: false }) as {
    readonly zone: string;
    readonly name: string;
    readonly type: string;
  };
  const path = { zone: params.zone, domain: params.name, type: params.type };
  // a record that the user wants to make is not asked for: the service would only refuse
  const [isWanted] = useAddress("new");
  const { data, error, refetch } = useRead("GET /v1/zones/{zone}/{domain}/{type}", { path, enabled: isWanted === "" });
  const stored = useMemo(() => data && { record: editedOf(data.data), etag: data.etag }, [data]);
  const isNew = isWanted !== "" || (error instanceof ApiError && error.status === 404);
  if (data || isNew) {
    return <Editor key={Object.values(path).join("/")} path={path} stored={stored} initial={emptyRecord} />;
  }
  return (
    <Page title={`${path.domain} ${path.type}`} error={error} onRetry={() => void refetch()}>
      {!error && <Loading />}
    </Page>
  );
}
