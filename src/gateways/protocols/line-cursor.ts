import { BACKSLASH, QUOTE, withoutBlanks } from './line-text';

/**
 * The present line in the text of all lines. A quoted text may contain line breaks: then the line has several rows. No
 * character is looked at more than a few times.
 */
export class LineCursor {
  /** Where the rest of the line begins. */
  at = 0;
  /** End of the line, without blanks. */
  end = 0;
  /** Start of the next line. */
  next = 0;
  /** The first quote that ends a text, searched from `from`; at the end of the text if there is none. */
  private readonly closing = { from: 0, at: -1 };

  constructor(readonly text: string) {}

  /** Begins with the first row of the line. */
  begin(at: number): void {
    this.at = at;
    this.extendTo(at);
  }

  /** Extends the line to the row of the quote that ends the text. -1 if the text never ends. */
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

  /** Makes the row of this place the last one. */
  private extendTo(place: number): void {
    const { text, at } = this;
    const lineBreak = text.indexOf('\n', place);
    const end = lineBreak < 0 ? text.length : lineBreak;
    this.next = end + 1;
    this.end = withoutBlanks(text, Math.max(at, place), end);
  }
}

/** A backslash escapes any character. */
function findClosingQuote(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return text.length;
}
