export const viewsTexts = {
  open: "Views",
  none: "None yet. A view keeps the filters and the order of this page, for you alone.",
  name: "Name of the view",
  save: "Save this view",
  remove: (name: string) => `Remove the view ${name}`,
} as const;
