/** What users are written of their way in. Names that others typed are not in it: a mail of ours is no place for theirs. */

import { lifetimeOf } from "../credentials/token.ts";
import type { Letter } from "../mail/letter.ts";

type Reader = { readonly email: string; readonly username: string };

/** Mail programs make a link of whatever has dots as a host has: a username is no way to send people anywhere. */
const spelled = (username: string, email: string) =>
  username.includes(".") && username !== email ? `${username.replaceAll(".", " . ")} (without spaces)` : username;

export const invitation = ({ email, username }: Reader, link: string): Letter => ({
  to: email,
  isWayIn: true,
  subject: "Your invitation to Fairlead",
  paragraphs: [
    `A user was made for you in Fairlead, which manages DNS. Your username is ${spelled(username, email)}.`,
    `Choose a password within ${lifetimeOf("invitation")}, after which this link opens nothing any more:`,
    { link },
    "If you did not expect this you need do nothing: without a password nobody signs in.",
  ],
});

export const passwordReset = ({ email, username }: Reader, link: string): Letter => ({
  to: email,
  isWayIn: true,
  subject: "Set a new password",
  paragraphs: [
    `Somebody asked for a new password of the user ${spelled(username, email)}. This link sets one, once and within ${lifetimeOf("reset")}:`,
    { link },
    "If it was not you, nothing needs to be done: the password stays what it is.",
  ],
});

export const secondFactorReset = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your second factor was reset",
  paragraphs: [
    `The second factor of your user ${spelled(username, email)} was reset by somebody who manages the users of your account: your password alone lets you in now. Whoever was signed in as you is so no more.`,
    "If you did not ask for this, change your password, and tell those who manage your account.",
  ],
});

export const passwordChanged = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your password was changed",
  paragraphs: [
    `The password of your user ${spelled(username, email)} was changed. Whoever was signed in as you elsewhere is so no more.`,
    "If it was not you, ask for a link that sets another one, and tell those who manage your account.",
  ],
});

export const secondFactorOn = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "A second factor was set up",
  paragraphs: [
    `Signing in as your user ${spelled(username, email)} takes a code of an authenticator app from now on. Whoever was signed in as you elsewhere is so no more.`,
    "If it was not you, tell those who manage your account: they can reset it.",
  ],
});

export const secondFactorOff = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your second factor was turned off",
  paragraphs: [
    `The second factor of your user ${spelled(username, email)} was turned off: your password alone lets you in now.`,
    "If it was not you, change your password, and tell those who manage your account.",
  ],
});

/** To the address before. */
export const addressChanged = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your e-mail address was changed",
  paragraphs: [
    `Mails for your user ${spelled(username, email)} go to another address from now on.`,
    "If you do not know why, tell those who manage your account.",
  ],
});
