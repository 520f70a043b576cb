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
  loading: "The zone is being read.",
  serial: (serial: number) => `serial ${serial}`,
  changed: "settings changed",
  disabled: "not answered",
  linkedTo: "linked to",
} as const;
