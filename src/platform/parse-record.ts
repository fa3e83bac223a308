import { isRecord } from './is-record';

/** Undefined for anything but the JSON of an object. */
export function parseRecord(
  text: string,
  parse: (text: string) => unknown = JSON.parse,
): Record<string, unknown> | undefined {
  try {
    const value = parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
