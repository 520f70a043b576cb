/**
 * Mails to users about signing in. They contain no names that other people typed, so that our mail cannot carry their
 * text.
 */

import { lifetimeOf } from "../credentials/token.ts";
import type { Letter } from "../mail/letter.ts";

type Reader = { readonly email: string; readonly username: string };

export const invitation = (reader: Reader, link: string) =>
  letter(reader, "Your invitation to Fairlead", (username) => [
    `A user was created for you in Fairlead, which manages DNS. Your username is ${username}.`,
    `Choose a password within ${lifetimeOf("invitation")}; after that this link no longer works:`,
    { link },
    "If you did not expect this mail, you need not do anything: the user cannot be used without a password.",
  ]);

export const passwordReset = (reader: Reader, link: string) =>
  letter(reader, "Set a new password", (username) => [
    `A new password was requested for the user ${username}. This link sets one; it works once, within ${lifetimeOf("reset")}:`,
    { link },
    "If this was not you, you need not do anything: the password stays the same.",
  ]);

export const secondFactorReset = (reader: Reader) =>
  letter(reader, "Your second factor was reset", (username) => [
    `An administrator of your account reset the second factor of your user ${username}. You can now sign in with your password alone. All your sessions were ended.`,
    "If you did not ask for this, change your password and contact the administrators of your account.",
  ]);

export const passwordChanged = (reader: Reader) =>
  letter(reader, "Your password was changed", (username) => [
    `The password of your user ${username} was changed. All your other sessions were ended.`,
    "If this was not you, request a link that sets a new password, and contact the administrators of your account.",
  ]);

export const secondFactorOn = (reader: Reader) =>
  letter(reader, "A second factor was set up", (username) => [
    `Signing in as your user ${username} now requires a code from an authenticator app. All your other sessions were ended.`,
    "If this was not you, contact the administrators of your account: they can reset it.",
  ]);

export const secondFactorOff = (reader: Reader) =>
  letter(reader, "Your second factor was turned off", (username) => [
    `The second factor of your user ${username} was turned off. You can now sign in with your password alone.`,
    "If this was not you, change your password and contact the administrators of your account.",
  ]);

/** The reader's `email` is the former address. */
export const addressChanged = (reader: Reader) =>
  letter(reader, "Your e-mail address was changed", (username) => [
    `Mails for your user ${username} are now sent to another address.`,
    "If you did not expect this, contact the administrators of your account.",
  ]);

/** Mail programs turn text with dots into links. Spaces in the username prevent links to foreign sites. */
function letter(
  { email, username }: Reader,
  subject: string,
  write: (username: string) => Letter["paragraphs"],
): Letter {
  const isUnsafe = username.includes(".") && username !== email;
  const spelled = isUnsafe ? `${username.replaceAll(".", " . ")} (without spaces)` : username;
  return { to: email, subject, paragraphs: write(spelled) };
}
