/** The look of all pages: one accent colour, dense tables, and names in a face of equal widths. */
import { createTheme, type MantineColorsTuple } from "@mantine/core";
import { kitTexts } from "../text/kit.ts";

/** The nonce that styles of this load need. */
export const nonce = document.querySelector<HTMLMetaElement>('meta[name="style-nonce"]')?.content ?? "";
// where the part that keeps a page below a dialogue still looks for it
Object.assign(globalThis, { __webpack_nonce__: nonce });

const sea: MantineColorsTuple = [
  "#e6f7fa",
  "#cfeaf0",
  "#a0d6e1",
  "#6cc0d1",
  "#43adc3",
  "#299fb9",
  "#1788a2",
  "#0b7285",
  "#085f70",
  "#024b59",
];

export const theme = createTheme({
  primaryColor: "sea",
  primaryShade: 7,
  colors: { sea },
  autoContrast: true,
  fontFamily: 'system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", "Cascadia Mono", "Noto Sans Mono", "DejaVu Sans Mono", monospace',
  fontSizes: { xs: "12px", sm: "13px", md: "14px", lg: "16px", xl: "20px" },
  headings: { sizes: { h1: { fontSize: "22px" }, h2: { fontSize: "17px" }, h3: { fontSize: "15px" } } },
  defaultRadius: "sm",
  respectReducedMotion: true,
  components: {
    Button: { defaultProps: { size: "sm" } },
    Code: { styles: { root: { whiteSpace: "pre-wrap", overflowWrap: "anywhere" } } },
    Progress: { defaultProps: { color: "var(--accent-mark)" } },
    Select: { defaultProps: { selectFirstOptionOnChange: true } },
    MultiSelect: { defaultProps: { selectFirstOptionOnChange: true } },
    Tabs: { defaultProps: { color: "var(--accent-mark)" } },
    TextInput: { defaultProps: { size: "sm" } },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": kitTexts.close } } },
    Modal: { defaultProps: { centered: true, closeButtonProps: { "aria-label": kitTexts.close } } },
    Tooltip: { defaultProps: { openDelay: 300, withArrow: true } },
  },
});
