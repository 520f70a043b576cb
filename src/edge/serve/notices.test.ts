import { expect, test, vi } from "vitest";
import type { Incoming } from "../../sync/peers.ts";
import { Notices } from "./notices.ts";

const zone = (zone_id: string): Incoming => ({
  account_id: "a",
  zone_id,
  zone: zone_id,
  addresses: [],
  mustSign: false,
});

test("a zone is requested at most five times a second, and after its last notice; 2,000 zones at once", () => {
  vi.useFakeTimers();
  try {
    const request = vi.fn();
    const notices = new Notices(request);
    for (let i = 0; i < 1000; i++) notices.take(zone("one"));
    expect(request).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(200);
    expect(request).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(1000);
    expect(request).toHaveBeenCalledTimes(2);
    for (let i = 0; i < 5000; i++) notices.take(zone(`z${i}`));
    expect(request).toHaveBeenCalledTimes(2002);
    notices.close();
  } finally {
    vi.useRealTimers();
  }
});
