/** A note that something which was asked for in passing failed. */
import { notifications } from "@mantine/notifications";

export const noteFailure = (error: unknown): void =>
  void notifications.show({ message: error instanceof Error ? error.message : String(error), color: "red" });
