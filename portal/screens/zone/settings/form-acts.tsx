/** The buttons of a form of settings; they are there when something was changed. */
import { Button, Group } from "@mantine/core";
import { kitTexts } from "../../../text/kit.ts";
import { settingsTexts as texts } from "../../../text/zone-settings.ts";

interface Props {
  readonly isChanged: boolean;
  readonly isPending: boolean;
  /** The object of the button's verb. */
  readonly what: string;
  readonly onReset: () => void;
}

export const FormActs = ({ isChanged, isPending, what, onReset }: Props) =>
  isChanged && (
    <Group gap="xs">
      <Button type="submit" loading={isPending}>
        {texts.save(what)}
      </Button>
      <Button variant="default" onClick={onReset}>
        {kitTexts.cancel}
      </Button>
    </Group>
  );
