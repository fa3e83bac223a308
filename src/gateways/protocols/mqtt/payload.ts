import { whyTooLarge } from './json-size';

/** Shared by all templates that read it. */
export interface Payload {
  text: string;
  /** Parsed once; undefined if it is no JSON. */
  json(): unknown;
}

/** Parses JSON when a template first asks for it. */
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
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
