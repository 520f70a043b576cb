export const welcomeTexts = {
  title: "Welcome to Fairlead",
  signedIn: (name: string) => `You are signed in as ${name}.`,
  passwordTitle: "1. Set your password",
  passwordHint: "The link that brought you here works once. With a password you can sign in again.",
  password: "New password",
  passwordRules: "12 to 256 characters, without your user name.",
  again: "New password, again",
  differ: "The two passwords differ.",
  set: "Set the password",
  isSet: "Your password is set.",
  zoneTitle: "2. Create your first zone",
  zoneHint:
    "A zone is a domain whose records this service answers. It begins empty, comes from a file, or is transferred from another server.",
  newZone: "Create a zone",
  later: "Later: go to the dashboard",
  refused: (reason: string) =>
    `The link did not sign you in: ${reason}. It works once, for 15 minutes, and only on the machine of the service. Each start of the service prints another one until a password is set.`,
} as const;
