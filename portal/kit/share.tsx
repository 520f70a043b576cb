/** A share of a whole: a number with a bar behind it. */
import { Box, Group, Text } from "@mantine/core";

const percent = new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 1 });

export function Share({ part, whole }: { readonly part: number; readonly whole: number }) {
  const share = whole === 0 ? 0 : part / whole;
  return (
    <Group gap="xs" wrap="nowrap">
      <Box w={64} h={6} bg="var(--mantine-color-default-border)" style={{ borderRadius: 3 }} aria-hidden>
        <Box h={6} w={`${Math.min(100, share * 100)}%`} bg="var(--accent-mark)" style={{ borderRadius: 3 }} />
      </Box>
      <Text component="span" inherit>
        {percent.format(share)}
      </Text>
    </Group>
  );
}
