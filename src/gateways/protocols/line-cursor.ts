import { BACKSLASH, QUOTE, withoutBlanks } from './line-text';

/** Quoted line breaks give a line several rows. No character is looked at more than a few times. */
export class LineCursor {
  at = 0;
  /** End of the line, without blanks. */
  end = 0;
  /** Start of the next line. */
  next = 0;
  /** The first quote that ends a text, searched from `from`. */
  private readonly closing = { from: 0, at: -1 };

  constructor(readonly text: string) {}

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
