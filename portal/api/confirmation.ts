/** Calls that the service refuses until the password was given again. */

/** Asks for the password. Resolves with whether it was given. */
type Ask = () => Promise<boolean>;

let ask: Ask | undefined;
/** The dialogue that is open: calls of the same time wait for the same one. */
let asking: Promise<boolean> | undefined;

/** Names the dialogue; returns a function that takes it away. */
export function confirmWith(dialogue: Ask): () => void {
  ask = dialogue;
  return () => {
    if (ask === dialogue) ask = undefined;
  };
}

/** Milliseconds for which another control process may remember the session as it was before. */
const remembered = 1000;

/** Sends a call, and once more when its refusal asks for the password and the password was given. */
export async function confirming<T>(send: () => Promise<T>, mustConfirm: (error: unknown) => boolean): Promise<T> {
  try {
    return await send();
  } catch (error) {
    if (!mustConfirm(error) || ask === undefined) throw error;
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    if (!(await asking)) throw error;
  }
  return await send().catch(async (error: unknown) => {
    if (!mustConfirm(error)) throw error;
    await new Promise((resolve) => setTimeout(resolve, remembered));
    return await send();
  });
}
