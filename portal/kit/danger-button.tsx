/** A button for what removes something: the same look everywhere. */
import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";

export const DangerButton = (props: ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps>) => (
  <Button variant="light" color="red" {...props} />
);
