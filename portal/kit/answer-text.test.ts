/** Answers as text, there and back. */
import { expect, test } from "vitest";
import { type Part, printAnswer, scanAnswer } from "./answer-text.ts";

const pairs: readonly (readonly [answer: readonly Part[], text: string])[] = [
  [["192.0.2.1"], "192.0.2.1"],
  [[10, "mail.example.com."], "10 mail.example.com."],
  [[0, "issue", "le.example; a=b"], '0 issue "le.example; a=b"'],
  [[1, ".", 'alpn="h2,h3"'], '1 . alpn="h2,h3"'],
  [[100, 10, "u", "", "", "."], '100 10 u "" "" .'],
];

test.each(pairs)("%j is written as %s", (answer, text) => {
  expect(printAnswer(answer)).toBe(text);
  expect(scanAnswer(text)).toEqual(answer);
});

const texts: readonly (readonly [answer: readonly Part[], text: string])[] = [
  [["v=spf1 mx -all"], "v=spf1 mx -all"],
  [["one", " and two"], '"one" " and two"'],
  [['"in quotes"'], String.raw`"\"in quotes\""`],
  [["123"], "123"],
];

test.each(texts)("the free text %j is written as %s", (answer, text) => {
  expect(printAnswer(answer, true)).toBe(text);
  expect(scanAnswer(text, true)).toEqual(answer);
});
