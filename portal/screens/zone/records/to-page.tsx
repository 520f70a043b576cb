/** Takes what was typed of one record along to its page, which has its other fields. */
import { Button } from "@mantine/core";
import { useOpen } from "../../../app/link.tsx";
import type { Edit } from "../../../kit/draft-edits.ts";
import { useKept } from "../../../kit/kept.ts";
import { relativeName } from "../../../kit/relative.ts";
import { recordsTexts as texts } from "../../../text/records.ts";
import { type Edited, editedOf, emptyRecord, keptAs, withEdit } from "../../record/model.ts";
import type { Row } from "./row.ts";

interface Props {
  readonly edit: Edit;
  /** The row of the record, if there is one. */
  readonly row: Row | undefined;
  readonly onLeave: () => void;
}

export function ToPage({ edit, row, onLeave }: Props) {
  const { zone, domain, type } = edit;
  const [, keep] = useKept<Edited | null>(keptAs(edit), null);
  const open = useOpen();
  const leave = () => {
    keep(withEdit(row?.record ? editedOf(row.record) : emptyRecord, edit));
    onLeave();
    open({ to: "record", params: { zone, name: domain, type } });
  };
  return (
    <Button size="compact-sm" variant="subtle" onClick={leave}>
      {texts.toPage(relativeName(domain, zone), type)}
    </Button>
  );
}
