/** Keys and certificates are replaced. */
import { replaceCertificate } from "../edge.ts";
import { type Event, simple } from "./event.ts";

const masterKey = simple("the master key is replaced", async (installation) => {
  await installation.withoutControls(async () => {
    await installation.command("rotate", ...installation.at(installation.store));
  });
});

const certificate = simple("the certificate of the edges is replaced", async ({ directory }) => {
  replaceCertificate(directory);
});

export const keys: readonly Event[] = [masterKey, certificate];
