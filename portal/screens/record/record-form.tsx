/** The fields of a record, its answers and its chain. They are drawn again only when one of them changes. */
import { memo } from "react";
import type { ApiError } from "../../api/client.ts";
import { messageFor } from "../../kit/error-note.tsx";
import { AnswersEditor } from "./answers/answers-editor.tsx";
import { ChainEditor } from "./chain/chain-editor.tsx";
import type { Edited } from "./model.ts";
import { Settings } from "./settings.tsx";
import type { Explanation } from "./simulator/use-simulation.ts";

interface Props {
  readonly type: string;
  readonly edited: Edited;
  /** The refusal of the last write. */
  readonly error: ApiError | null;
  readonly warnings: Explanation["warnings"];
  /** The filter whose step of the simulator is lit. */
  readonly lit: number | undefined;
  readonly onLit: (at: number | undefined) => void;
  readonly onChange: (edited: Edited) => void;
}

export const RecordForm = memo(({ type, edited, error, warnings, lit, onLit, onChange }: Props) => {
  const messageOf = (field: string) => messageFor(error, field);
  return (
    <>
      <Settings edited={edited} messageOf={messageOf} onChange={onChange} />
      <AnswersEditor type={type} edited={edited} messageOf={messageOf} onChange={onChange} />
      <ChainEditor
        type={type}
        filters={edited.filters}
        warningsOf={(at) => warnings.filter(({ field }) => field === `filters[${at}]`).map(({ message }) => message)}
        messageOf={messageOf}
        lit={lit}
        onLit={onLit}
        onChange={(filters) => onChange({ ...edited, filters })}
      />
    </>
  );
});
