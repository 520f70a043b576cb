export const welcomeTexts = {
  title: "Welcome",
  about: "You are signed in as the first user, who manages everything in this account.",
  zoneTitle: "Make the first zone",
  zoneHint: "A zone is a domain whose records this service answers: an empty one, from a file, or from another server.",
  zone: "Create a zone",
  demoTitle: "Or look around first",
  demoHint: "The demo is a small zone with steered records and two feeds, so that there is something to simulate.",
  demo: "Load the demo",
} as const;
