/**
 * The page's only policy of trusted types. The component library writes style sheets as inner HTML of style elements;
 * text with a `<` is no style sheet, and is refused.
 */
interface TrustedTypes {
  createPolicy(name: string, rules: { readonly createHTML: (text: string) => string }): unknown;
}

const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };

trustedTypes?.createPolicy("default", {
  createHTML(text) {
    if (text.includes("<")) throw new TypeError("markup is not written into the page");
    return text;
  },
});
