export const attentionTexts = {
  title: "Needs attention",
  none: "Nothing needs attention.",
  severities: { error: "error", warning: "warning", notice: "notice" },
} as const;
