/** Every screen, wide and light, and on a phone and dark: no complaint of the browser or of axe, and nothing out of reach. */
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { pictures, show } from "./kit/pictures.ts";
import { findingsOf, real, startPortal } from "./kit/portal.ts";
import { outOfReach } from "./kit/reach.ts";
import { fillSample } from "./kit/sample.ts";

const portal = await startPortal();
const sample = await fillSample(portal.service);

test.each([
  { width: 1440, scheme: "light" },
  { width: 390, scheme: "dark" },
] as const)("all screens are in order, $width wide and $scheme", { timeout: 900_000 }, async (options) => {
  const { page, complaints } = await portal.signedIn("/", options);
  const faults: string[] = [];
  for (const picture of pictures(sample)) {
    await show(page, portal.service.url, picture);
    const found = [...(await findingsOf(page)), ...(await outOfReach(page)), ...(await overflows(page, options.width))];
    faults.push(...[...found, ...real(complaints.splice(0))].map((text) => `${picture.name}: ${text}`));
  }
  expect(faults).toEqual([]);
});

/** The ways in which the page is wider than its window: as it is, at twice the size, or from right to left. */
async function overflows(page: Page, width: number): Promise<string[]> {
  const found: string[] = [];
  const measure = async (how: string) => {
    const [needs, has] = await page.evaluate<[number, number]>("[document.documentElement.scrollWidth, innerWidth]");
    if (needs > has) found.push(`${how} it needs ${needs} of ${has} pixels`);
  };
  await measure("as it is,");
  if (width > 1000) {
    await page.setViewportSize({ width: width / 2, height: 900 });
    await measure("at twice the size,");
    await page.setViewportSize({ width, height: 900 });
  }
  await page.evaluate("document.documentElement.dir = 'rtl'");
  await measure("from right to left,");
  return found;
}
