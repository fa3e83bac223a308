/** The template is none of those that are understood. */
export class NotUnderstood extends Error {}

const TOKEN =
  /\s*(?:(\d{1,15}(?:\.\d{1,15})?)|'([^'\\]*)'|"([^"\\]*)"|([A-Za-z_]\w*)|(==|!=|<=|>=|[-+*/<>|().,[\]=]))/y;

export interface TemplateToken {
  kind: 'number' | 'text' | 'name' | 'sign' | 'end';
  text: string;
}

export class TemplateTokens {
  private readonly tokens: readonly TemplateToken[];
  private at = 0;

  /** Throws NotUnderstood for other signs. */
  constructor(text: string) {
    this.tokens = tokensOf(text);
  }

  /** Behind the last token, an end token. */
  get next(): TemplateToken {
    return this.tokens[this.at] ?? { kind: 'end', text: '' };
  }

  /** A name and `=` are next. */
  get isNaming(): boolean {
    return this.next.kind === 'name' && this.tokens[this.at + 1]?.text === '=';
  }

  take(): TemplateToken {
    const token = this.next;
    this.at += 1;
    return token;
  }

  takes(text: string): boolean {
    const { kind, text: given } = this.next;
    if (given !== text || (kind !== 'sign' && kind !== 'name')) return false;
    this.at += 1;
    return true;
  }

  need(text: string): void {
    if (!this.takes(text)) throw new NotUnderstood();
  }

  needKind(wanted: TemplateToken['kind']): string {
    const { kind, text } = this.take();
    if (kind !== wanted) throw new NotUnderstood();
    return text;
  }
}

function tokensOf(text: string): TemplateToken[] {
  const tokens: TemplateToken[] = [];
  const reader = new RegExp(TOKEN);
  const whole = text.trimEnd();
  while (reader.lastIndex < whole.length) {
    const match = reader.exec(whole);
    if (!match) throw new NotUnderstood();
    const [, number, single, double, name, sign] = match;
    if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (name !== undefined) tokens.push({ kind: 'name', text: name });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else tokens.push({ kind: 'text', text: single ?? double ?? '' });
  }
  return tokens;
}
