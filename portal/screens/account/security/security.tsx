/** The user's own security: password, second factor, sessions, time zone; and what the account requires of all. */
import { Stack } from "@mantine/core";
import { Factor } from "./factor.tsx";
import { Guard } from "./guard.tsx";
import { Password } from "./password.tsx";
import { Requirement } from "./requirement.tsx";
import { Sessions } from "./sessions.tsx";
import { TimeZone } from "./time-zone.tsx";

export const Security = () => (
  <Stack gap="xl">
    <Password />
    <Factor />
    <Sessions />
    <Requirement />
    <Guard />
    <TimeZone />
  </Stack>
);
