export const zoneTexts = {
  tabs: {
    records: "Records",
    settings: "Settings",
    transfers: "Transfers",
    versions: "Versions",
    statistics: "Statistics",
    activity: "Activity",
    lint: "Lint",
  },
  serial: (serial: number) => `serial ${serial}`,
  changed: "settings changed",
  disabled: "not answered",
  linkedTo: "linked to",
} as const;
