/** A plain word with the API's word in grey behind it, so that people learn it. */
import { Text } from "@mantine/core";
import type { ReactNode } from "react";

/** The label of a field: `wordOf("Networks", "networks")`. */
export const wordOf = (plain: string, api: string): ReactNode => (
  <>
    {plain}{" "}
    <Text span size="xs" c="dimmed" fw={400} className="name">
      {api}
    </Text>
  </>
);
