import { readTyped } from '../../typed-number';

/** Splits a text at its commas, except at a comma between digits: it is a decimal mark. */
export function readValues(text: string): string[] {
  return text
    .split(/(?<!\d),|,(?!\d)/)
    .map((value) => readTyped(value) ?? value.trim())
    .filter(Boolean);
}
