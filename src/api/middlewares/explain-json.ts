import { type ParseErrorCode, printParseErrorCode, visit } from 'jsonc-parser';
import type { JsonSliceError } from '../../platform/json-in-steps';

/** `position` is the number of characters before the mistake. */
export interface JsonMistake {
  position: number;
  why: string;
}

/** Without quotes: RFC 6749 allows none in the description of an error. */
const HINTS: readonly [RegExp, string][] = [
  [/^-?(nan|inf|infinity)\b/i, 'JSON has no such number; leave the point out'],
  [/^(true|false)\b/i, 'write true or false, in lower case'],
  [/^(none|nil|undefined|null)\b/i, 'write null'],
  [/^['‘’“”`]/, 'texts and names stand in double quotes'],
  [/^\/[/*]/, 'JSON has no comments'],
  [/^\+/, 'a number has no plus sign'],
  [/^-?\.\d/, 'a number begins with a digit: 0.5'],
  [/^-?0\d/, 'a number has no leading zeros'],
];

const WHY: Partial<Record<string, string>> = {
  InvalidSymbol: 'texts and names stand in double quotes',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is missing',
  CloseBracketExpected: 'a closing bracket is missing',
  EndOfFileExpected: 'nothing may follow the value',
  UnexpectedEndOfString: 'the text does not end',
  UnexpectedEndOfNumber: 'the number does not end',
  InvalidUnicode: 'this is no escape of a character',
  InvalidEscapeCharacter: 'this is no escape of a character',
  InvalidCharacter: 'this character has to be escaped',
};

/** Explains a text that `JSON.parse` refused; undefined if no mistake is found. */
export function explainJson(text: string): JsonMistake | undefined {
  if (text.trim() === '') return undefined;
  try {
    visit(
      text,
      {
        onError: (code, offset) => {
          throw new FirstMistake(code, offset);
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (error instanceof FirstMistake) return mistakeAt(text, error);
    throw error;
  }
  return undefined;
}

/** Without reading the whole text again. */
export function explainSlice({ message, position, slice }: JsonSliceError): JsonMistake {
  const inner = slice === undefined ? undefined : explainJson(slice);
  return inner ? { position: position + inner.position - 1, why: inner.why } : { position, why: message };
}

/** Ends the visit: what comes after the first mistake follows from it. */
class FirstMistake extends Error {
  constructor(
    readonly code: ParseErrorCode,
    readonly offset: number,
  ) {
    super();
  }
}

function mistakeAt(text: string, { code, offset }: FirstMistake): JsonMistake {
  const rest = text.slice(offset, offset + 20);
  const hint = HINTS.find(([pattern]) => pattern.test(rest))?.[1];
  return { position: offset, why: hint ?? WHY[printParseErrorCode(code)] ?? 'this is unexpected' };
}
