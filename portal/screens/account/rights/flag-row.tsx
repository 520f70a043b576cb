/** One right: the API's sentence and word, what is set, and what that means. */
import { SegmentedControl, Text } from "@mantine/core";
import { rightsTexts as texts } from "../../../text/rights.ts";
import classes from "../account.module.css";
import { type Given, withField } from "./given.ts";
import { effectOf, type Flag, lackingBeside } from "./groups.ts";
import { May } from "./may.tsx";

interface Props {
  readonly flag: Flag;
  readonly given: Given;
  readonly onChange: (given: Given) => void;
}

const values: { readonly [choice: string]: boolean | undefined } = { unset: undefined, yes: true, no: false };
const choices = [
  { value: "unset", label: texts.unset },
  { value: "yes", label: texts.may },
  { value: "no", label: texts.mayNot },
];

export function FlagRow({ flag, given, onChange }: Props) {
  const value = given.groups[flag.group]?.[flag.name];
  const { may, why, isExceptional } = effectOf(given, flag);
  const lacking = lackingBeside(`${flag.group}.${flag.name}`, (right) => {
    const [group = "", name = ""] = right.split(".");
    return effectOf(given, { group, name }).may;
  });
  return (
    <div className={classes["flag"]}>
      <Text size="sm">
        {flag.about}{" "}
        <Text span c="dimmed" className="name" fz="xs">
          {flag.name}
        </Text>
        {isExceptional && (
          <Text span c="dimmed" fz="xs" display="block">
            {why}
          </Text>
        )}
        {lacking !== undefined && (
          <Text span c="dimmed" fz="xs" display="block">
            {texts.lacking(lacking)}
          </Text>
        )}
      </Text>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={`${flag.about} (${flag.name})`}
        data={choices}
        value={value === undefined ? "unset" : value === true ? "yes" : "no"}
        onChange={(choice) => onChange(withField(given, flag.group, flag.name, values[choice]))}
      />
      <span title={why}>
        <May is={may && lacking === undefined} />
      </span>
    </div>
  );
}
