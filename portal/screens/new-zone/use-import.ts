/** Imports a zone in the background, from a file or by a transfer, and follows its job. */
import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ApiError, call } from "../../api/client.ts";
import { isObject } from "../../api/is-object.ts";
import type { ImportJob } from "../../api/types.ts";
import { useName, zoneOf } from "./use-create.ts";

export interface WrongLine {
  readonly line: number;
  readonly message: string;
}

export type ImportState =
  | { readonly is: "idle" | "sending" }
  | { readonly is: "running"; readonly percent: number; readonly status: string }
  | { readonly is: "failed"; readonly error: ApiError; readonly lines: readonly WrongLine[] }
  | { readonly is: "done"; readonly zone: string; readonly warnings: readonly string[] };

/** Asks the service for an import; resolves with its job. */
export type Start = (zone: string, signal: AbortSignal) => Promise<ImportJob>;

/** Milliseconds between two looks at a job. */
const every = 500;

/** `forget` is called when the zone is there. */
export function useImport(forget: () => void = () => {}) {
  const [typed] = useName();
  const [state, setState] = useState<ImportState>({ is: "idle" });
  const client = useQueryClient();
  const stop = useRef<AbortController>(undefined);
  useEffect(() => () => stop.current?.abort(), []);

  const follow = async (job: ImportJob, name: string, signal: AbortSignal): Promise<ImportState> => {
    let current = job;
    while (current.response_code === undefined) {
      setState({ is: "running", percent: current.percent, status: current.status });
      await new Promise((resolve) => setTimeout(resolve, every));
      current = (await call("GET /v1/import/zonefile/{zone}", { path: { zone: job.id }, signal })).data;
    }
    const { response_code, response } = current;
    if (response_code === 200) {
      await client.invalidateQueries({ queryKey: ["GET /v1/zones"] });
      forget();
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
  const run = async (start: Start) => {
    stop.current?.abort();
    const ending = new AbortController();
    stop.current = ending;
    const { signal } = ending;
    const name = zoneOf(typed);
    setState({ is: "sending" });
    try {
      setState(await follow(await start(name, signal), name, signal));
    } catch (error) {
      if (signal.aborted) return;
      const known = error instanceof ApiError ? error : new ApiError(0, String(error));
      setState({ is: "failed", error: known, lines: linesOf(known) });
    }
  };
  return {
    state,
    run: (start: Start) => void run(start),
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
