/** The rights that a user, key or team has in the end, with the reason for each. */
import { Loader, Stack } from "@mantine/core";
import { useAddress } from "../../../kit/address.ts";
import { ErrorNote } from "../../../kit/error-note.tsx";
import { Ask } from "./ask.tsx";
import { EffectiveList } from "./effective-list.tsx";
import { Scopes } from "./scopes.tsx";
import { type Holder, type Question, useEffective } from "./use-effective.ts";

export function Effective({ holder }: { readonly holder: Holder }) {
  const [zone] = useAddress("zone");
  const [domain] = useAddress("domain");
  const [type] = useAddress("type");
  const [address] = useAddress("address");
  const question: Question = {
    ...(zone === "" ? {} : { zone }),
    ...(domain === "" ? {} : { domain }),
    ...(type === "" ? {} : { type }),
    ...(address === "" ? {} : { address }),
  };
  const plain = useEffective(holder);
  const asked = useEffective(holder, question);
  return (
    <Stack gap="xl">
      <Ask key={JSON.stringify(question)} question={question} answer={asked.data} error={asked.error} />
      <ErrorNote error={plain.error} onRetry={plain.retry} />
      {plain.data ? (
        <>
          <Scopes rights={asked.data ?? plain.data} isAsked={address !== ""} />
          <EffectiveList rights={plain.data.rights} />
        </>
      ) : (
        !plain.error && <Loader size="sm" />
      )}
    </Stack>
  );
}
