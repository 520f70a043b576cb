/** Whether somebody may do something. */
import { State } from "../../../kit/state.tsx";
import { rightsTexts as texts } from "../../../text/rights.ts";

export const May = ({ is }: { readonly is: boolean }) => (
  <State is={is ? "ok" : "refused"} text={is ? texts.may : texts.mayNot} />
);
