import { whyTooLarge } from './json-size';

/** The payload of a message, for all templates that read it. */
export interface Payload {
  text: string;
  /** Its JSON, which is parsed once; undefined if it is none. */
  json(): unknown;
}

/** A payload whose JSON is parsed when a template first asks for it. */
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
