export const exportTexts = {
  export: "Export",
  zoneFile: "Zone file",
  csv: "CSV",
  json: "JSON",
  columns: ["name", "type", "ttl", "answer", "group", "steered", "link"],
  failed: (message: string) => `The export failed: ${message}`,
} as const;
