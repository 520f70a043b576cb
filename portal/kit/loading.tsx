/** A word in place of something that is still being read; none at first, so that quick replies do not flicker. */
import { Text } from "@mantine/core";
import { useEffect, useState } from "react";
import { kitTexts } from "../text/kit.ts";

/** Milliseconds after which it says so, and after which it says that this takes long. */
const [late, slow] = [300, 5000];

export function Loading() {
  const [waited, setWaited] = useState(0);
  useEffect(() => {
    const timers = [late, slow].map((after) => setTimeout(() => setWaited(after), after));
    return () => timers.forEach(clearTimeout);
  }, []);
  return (
    <Text size="sm" c="dimmed" p="sm" mih={42} role="status">
      {waited === slow ? kitTexts.slow : waited === late ? `${kitTexts.loading} …` : ""}
    </Text>
  );
}
