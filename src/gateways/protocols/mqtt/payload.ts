import { parseExactJson } from '../../../platform/exact-json';
import { whyTooLarge } from './json-size';

export interface Payload {
  text: string;
  json(): unknown;
}

export function payloadOf(text: string): Payload {
  let parsed: { value: unknown } | undefined;
  return {
    text,
    json: () => {
      parsed ??= { value: jsonIn(text) };
      return parsed.value;
    },
  };
}

function jsonIn(text: string): unknown {
  if (whyTooLarge(text) !== null) return undefined;
  try {
    return parseExactJson(text);
  } catch {
    return undefined;
  }
}
