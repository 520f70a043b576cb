/** The token of the link that a start of the service prints: taken out of the address bar before anything else runs. */
const isWelcome = /\/welcome\/?$/.test(location.pathname);
let token = isWelcome ? location.hash.slice(1) : "";
if (token !== "") history.replaceState(null, "", location.pathname);

/** The token, once; undefined when the page was opened in another way. */
export function takeFirstToken(): string | undefined {
  const taken = token;
  token = "";
  return taken === "" ? undefined : taken;
}
