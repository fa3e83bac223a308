import { MAX_LINE, whyTooLong } from '../../edge/longest-line';
import { BACKSLASH, LineProblem, QUOTE, withoutBlanks } from './line-text';

/** Quoted line breaks give a line several rows. No character is looked at more than a few times. */
export class LineCursor {
  at = 0;
  /** End of the line, without blanks. */
  end = 0;
  /** Start of the next line, and of the second row if there are several. */
  next = 0;
  secondRow = 0;
  private start = 0;
  /** The first quote that ends a text, searched from `from`; or how far there is none. */
  private readonly closing = { from: 0, at: -1 };

  constructor(readonly text: string) {}

  /** Throws LineProblem for a line that is too long; `secondRow` is known. */
  begin(at: number): void {
    this.at = at;
    this.start = at;
    this.secondRow = this.endOfRow(at) + 1;
    this.extendTo(at);
  }

  /** Extends the line to the row of the quote that ends the text. -1 if there is none. Throws like `begin`. */
  endOfText(from: number): number {
    const { closing, text } = this;
    if (from < closing.from || from > closing.at) {
      closing.from = from;
      closing.at = from;
    }
    closing.at = findClosingQuote(text, closing.at, Math.min(text.length, this.start + MAX_LINE));
    if (text.charCodeAt(closing.at) !== QUOTE) return -1;
    if (closing.at >= this.end) this.extendTo(closing.at);
    return closing.at;
  }

  private extendTo(place: number): void {
    const { text, at, start } = this;
    const end = this.endOfRow(place);
    const why = whyTooLong(end - start);
    if (why !== null) throw new LineProblem(why);
    this.next = end + 1;
    this.end = withoutBlanks(text, Math.max(at, place), end);
  }

  private endOfRow(place: number): number {
    const lineBreak = this.text.indexOf('\n', place);
    return lineBreak < 0 ? this.text.length : lineBreak;
  }
}

/** A backslash escapes any character. Returns where it has stopped, at `until`, if there is none. */
function findClosingQuote(text: string, from: number, until: number): number {
  let at = from;
  for (; at < until; at += 1) {
    const code = text.charCodeAt(at);
    if (code === BACKSLASH) at += 1;
    else if (code === QUOTE) return at;
  }
  return at;
}
