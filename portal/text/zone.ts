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
  noSerial: "no serial yet",
  changed: "settings changed",
  linkedTo: "linked to",
} as const;
