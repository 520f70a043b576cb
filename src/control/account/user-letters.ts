/** What users are written of their way in. Names that others typed are not in it: a mail of ours is no place for theirs. */
import type { Letter } from "../mail/letter.ts";

type Reader = { readonly email: string; readonly username: string };

export const invitation = ({ email, username }: Reader, link: string): Letter => ({
  to: email,
  subject: "Your invitation to Fairlead",
  paragraphs: [
    `A user was made for you in Fairlead, which manages DNS. Your username is ${username}.`,
    "Choose a password within 72 hours, after which this link opens nothing any more:",
    { link },
    "If you did not expect this you need do nothing: without a password nobody signs in.",
  ],
});

export const passwordReset = ({ email, username }: Reader, link: string): Letter => ({
  to: email,
  subject: "Set a new password",
  paragraphs: [
    `Somebody asked for a new password of the user ${username}. This link sets one, once and within an hour:`,
    { link },
    "If it was not you, nothing needs to be done: the password stays what it is.",
  ],
});

export const secondFactorReset = ({ email, username }: Reader): Letter => ({
  to: email,
  subject: "Your second factor was reset",
  paragraphs: [
    `The second factor of your user ${username} was reset by somebody who manages the users of your account: your password alone lets you in now. Whoever was signed in as you is so no more.`,
    "If you did not ask for this, change your password, and tell those who manage your account.",
  ],
});
