/** The pattern of `LIKE` that matches texts with this text anywhere in them. */
export function likeText(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}
