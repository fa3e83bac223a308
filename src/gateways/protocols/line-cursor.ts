import { BACKSLASH, QUOTE, withoutBlanks } from './line-text';

/**
 * The line that is being read, in the text of all lines. A quoted text may contain line breaks: then the line has
 * several rows. However often rows are read again, no character is looked at more than a few times.
 */
export class LineCursor {
  /** Where the rest of the line begins. */
  at = 0;
  /** The end of the line, without blanks. */
  end = 0;
  /** Where the next line begins. */
  next = 0;
  /** The first quote that ends a text, from a place on that was searched; at the end of the text if there is none. */
  private readonly closing = { from: 0, at: -1 };

  constructor(readonly text: string) {}

  /** Begins the line at a place: its first row. */
  begin(at: number): void {
    this.at = at;
    this.extendTo(at);
  }

  /** The quote that ends the text which begins there; the line ends with its row. -1 if the text never ends. */
  endOfText(from: number): number {
    const { closing } = this;
    if (from < closing.from || from > closing.at) {
      closing.from = from;
      closing.at = findClosingQuote(this.text, from);
    }
    if (closing.at === this.text.length) return -1;
    if (closing.at >= this.end) this.extendTo(closing.at);
    return closing.at;
  }

  /** The line ends with the row of this place. */
  private extendTo(place: number): void {
    const { text, at } = this;
    const lineBreak = text.indexOf('\n', place);
    const end = lineBreak < 0 ? text.length : lineBreak;
    this.next = end + 1;
    this.end = withoutBlanks(text, Math.max(at, place), end);
  }
}

/** In a quoted text a backslash escapes any character. */
function findClosingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
