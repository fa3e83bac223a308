import { readTyped } from '../../typed-number';

/** The values in a text that separates them by commas. A comma between digits is a decimal mark; behind it stands no blank. */
export function readValues(text: string): string[] {
  return text
    .split(/(?<!\d),|,(?!\d)/)
    .map((value) => readTyped(value) ?? value.trim())
    .filter(Boolean);
}
