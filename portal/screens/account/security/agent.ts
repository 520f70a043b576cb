/** The browser and the system that a User-Agent names, for people; undefined where it names none that is known. */
import { securityTexts as texts } from "../../../text/security.ts";

const browsers = [
  ["Edge", /\bEdg(A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|Chromium|HeadlessChrome|CriOS)\//],
  ["Safari", /\bSafari\//],
] as const;

const systems = [
  ["Android", /Android/],
  ["iOS", /iPhone|iPad/],
  ["Windows", /Windows/],
  ["macOS", /Mac OS X/],
  ["Linux", /Linux|X11/],
] as const;

export function agentOf(text: string): string {
  const [browser] = browsers.find(([, sign]) => sign.test(text)) ?? [];
  const [system] = systems.find(([, sign]) => sign.test(text)) ?? [];
  if (browser !== undefined && system !== undefined) return texts.on(browser, system);
  return text === "" ? texts.unknownBrowser : text.slice(0, 60);
}
