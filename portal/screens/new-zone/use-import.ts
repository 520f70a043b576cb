/** Imports a zone file in the background, and follows its job. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, call } from "../../api/client.ts";
import { isObject } from "../../api/is-object.ts";
import type { ImportJob } from "../../api/types.ts";
import { zoneOf } from "./use-create.ts";

export interface WrongLine {
  readonly line: number;
  readonly message: string;
}

export type ImportState =
  | { readonly is: "idle" | "sending" }
  | { readonly is: "running"; readonly percent: number; readonly isWaiting: boolean }
  | { readonly is: "failed"; readonly error: ApiError; readonly lines: readonly WrongLine[] }
  | { readonly is: "done"; readonly zone: string; readonly warnings: readonly string[] };

/** Milliseconds between two looks at a job. */
const every = 500;

export function useImport() {
  const [state, setState] = useState<ImportState>({ is: "idle" });
  const client = useQueryClient();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const follow = async (job: ImportJob, name: string, signal: AbortSignal): Promise<ImportState> => {
    let current = job;
    while (current.response_code === undefined) {
      setState({ is: "running", percent: current.percent, isWaiting: current.status === "waiting" });
      await new Promise((resolve) => setTimeout(resolve, every));
      current = (await call("GET /v1/import/zonefile/{zone}", { path: { zone: job.id }, signal })).data;
    }
    const { response_code, response } = current;
    if (response_code === 200) {
      await client.invalidateQueries({ queryKey: ["GET /v1/zones"] });
      const { zone, warnings } = response ?? {};
      return {
        is: "done",
        zone: typeof zone === "string" ? zone : name,
        warnings: Array.isArray(warnings) ? warnings.map(String) : [],
      };
    }
    const { message, details } = response ?? {};
    throw new ApiError(response_code, String(message), isObject(details) ? details : {});
  };
  const run = async (typed: string, file: File, partial: boolean) => {
    stop.current?.abort();
    const ending = new AbortController();
    stop.current = ending;
    const { signal } = ending;
    const name = zoneOf(typed);
    setState({ is: "sending" });
    try {
      const query = { async: true, ...(partial ? { partial } : {}) };
      const body = file as unknown as string; // a file is sent as it is
      const { data } = await call("PUT /v1/import/zonefile/{zone}", { path: { zone: name }, query, body, signal });
      setState(await follow(data as ImportJob, name, signal));
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof ApiError ? error : new ApiError(0, String(error));
      setState({ is: "failed", error: known, lines: linesOf(known) });
    }
  };
  return {
    state,
    run: (...given: Parameters<typeof run>) => void run(...given),
    reset: () => setState({ is: "idle" }),
  };
}

function linesOf({ details }: ApiError): WrongLine[] {
  const { errors } = details;
  return (Array.isArray(errors) ? errors.filter(isObject) : []).map(({ line, message }) => ({
    line: Number(line),
    message: String(message),
  }));
}
