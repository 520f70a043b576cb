// The script of a link's page: takes the token after the # and sends it with the new password.
const form = document.querySelector("form");
const [password, again] = form.querySelectorAll("input[type=password]");
const button = form.querySelector("button");
const message = document.querySelector("[role=status]");
const token = location.hash.slice(1);
// nobody who sees the address bar or the history gets it
if (token !== "") history.replaceState(null, "", location.pathname);
const here = location.pathname.replace(/\/+$/, "");
const root = `${here.slice(0, here.lastIndexOf("/"))}/`;
const api = `${root}v1/auth/`;

const say = (text, kind) => {
  message.textContent = text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
  message.className = kind;
};

const send = (path, body, headers = {}) =>
  fetch(api + path, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
    credentials: "same-origin",
    cache: "no-store",
  });

const waitFor = (seconds) => (seconds > 90 ? `${Math.ceil(seconds / 60)} minutes` : `${seconds} seconds`);

const refusal = async (reply) => {
  const wait = Number(reply.headers.get("Retry-After"));
  if (reply.status === 429)
    return `There were too many attempts from your address. Wait ${waitFor(wait || 60)}, then try again`;
  const { message = `The service answered with the error ${reply.status}`, details } = await reply
    .json()
    .catch(() => ({}));
  if (details?.field === "token") {
    form.hidden = true;
    return form.dataset.invalid;
  }
  return message;
};

const done = async (reply) => {
  const { user, csrf_token } = await reply.json();
  // password managers store the password under this name
  document.querySelector("#username").value = user.username;
  form.hidden = true;
  // the page leads to signing in, so it leaves no session behind
  await send("signout", {}, { "X-CSRF-Token": csrf_token }).catch(() => {});
  say(`Your password is set. You can now sign in as ${user.username} with it.`, "good");
  if (form.dataset.signin !== "") showSignIn();
};

const showSignIn = () => {
  const link = document.createElement("a");
  link.href = root;
  link.textContent = form.dataset.signin;
  message.after(link);
};

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  if (password.value !== again.value) {
    say("The two passwords differ.", "bad");
    return again.focus();
  }
  button.disabled = true;
  say("One moment\u2026", "");
  try {
    const reply = await send(form.dataset.kind, { token, password: password.value });
    if (reply.ok) await done(reply);
    else say(await refusal(reply), "bad");
  } catch {
    say("The service cannot be reached. Try again in a moment.", "bad");
  }
  button.disabled = false;
});

form.querySelector("input[type=checkbox]").addEventListener("change", ({ target }) => {
  for (const input of [password, again]) input.type = target.checked ? "text" : "password";
});

// another link in the same tab
addEventListener("hashchange", () => location.reload());

if (token === "") {
  say("This link is incomplete: open it from the mail, or copy all of it.", "bad");
} else {
  form.hidden = false;
  password.focus();
}
