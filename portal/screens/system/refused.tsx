/** What an operator's page shows to somebody who is none, and other errors. */
import type { ApiError } from "../../api/client.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorNote } from "../../kit/error-note.tsx";
import { systemTexts as texts } from "../../text/system.ts";

export function Refused({ error, onRetry }: { readonly error: ApiError | null; readonly onRetry: () => void }) {
  if (error?.status === 403) return <Empty title={texts.noRight} text={texts.noRightHint} />;
  return <ErrorNote error={error} onRetry={onRetry} />;
}
