/** Characters of a line of an upload: six times the longest value, all of whose characters JSON may escape. */
export const MAX_LINE = 400_000;

/** The reason follows the line; null for a line that may be read. */
export function whyTooLong(length: number): string | null {
  return length > MAX_LINE ? `has ${length} characters, more than the ${MAX_LINE} that a line may have` : null;
}
