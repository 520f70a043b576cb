/**
 * Mails to users about signing in. They contain no names that other people typed, so that our mail cannot carry their
 * text.
 */

import { lifetimeOf } from "../credentials/token.ts";
import type { Letter } from "../mail/letter.ts";

type Reader = { readonly email: string; readonly username: string };

/** Mail programs turn text with dots into links. Spaces prevent that a username leads readers to a site. */
const spelled = (username: string, email: string) =>
  username.includes(".") && username !== email ? `${username.replaceAll(".", " . ")} (without spaces)` : username;

export const invitation = ({ email, username }: Reader, link: string): Letter => ({
  to: email,
  givesAccess: true,
  subject: "Your invitation to Fairlead",
  paragraphs: [
    `A user was created for you in Fairlead, which manages DNS. Your username is ${spelled(username, email)}.`,
    `Choose a password within ${lifetimeOf("invitation")}; after that this link no longer works:`,
    { link },
    "If you did not expect this mail, you need not do anything: nobody can sign in without a password.",
  ],
});

export const passwordReset = ({ email, username }: Reader, link: string): Letter => ({
  to: email,
  givesAccess: true,
  subject: "Set a new password",
  paragraphs: [
    `A new password was requested for the user ${spelled(username, email)}. This link sets one; it works once, within ${lifetimeOf("reset")}:`,
    { link },
    "If this was not you, you need not do anything: the password stays the same.",
  ],
});

export const secondFactorReset = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your second factor was reset",
  paragraphs: [
    `An administrator of your account reset the second factor of your user ${spelled(username, email)}. You can now sign in with your password alone. All your sessions were ended.`,
    "If you did not ask for this, change your password and contact the administrators of your account.",
  ],
});

export const passwordChanged = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your password was changed",
  paragraphs: [
    `The password of your user ${spelled(username, email)} was changed. All your other sessions were ended.`,
    "If this was not you, request a link that sets a new password, and contact the administrators of your account.",
  ],
});

export const secondFactorOn = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "A second factor was set up",
  paragraphs: [
    `Signing in as your user ${spelled(username, email)} now requires a code from an authenticator app. All your other sessions were ended.`,
    "If this was not you, contact the administrators of your account: they can reset it.",
  ],
});

export const secondFactorOff = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your second factor was turned off",
  paragraphs: [
    `The second factor of your user ${spelled(username, email)} was turned off. You can now sign in with your password alone.`,
    "If this was not you, change your password and contact the administrators of your account.",
  ],
});

/** `email` is the former address. */
export const addressChanged = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your e-mail address was changed",
  paragraphs: [
    `Mails for your user ${spelled(username, email)} are now sent to another address.`,
    "If you did not expect this, contact the administrators of your account.",
  ],
});
