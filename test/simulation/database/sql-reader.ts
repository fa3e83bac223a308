import { NotSimulated } from './not-simulated';

const TOKEN = /\s*(?:(\?)|'((?:[^'\\]|''|\\.)*)'|(\d+)|`?([A-Za-z_]\w*)`?|(<=|>=|<>|!=|[=<>(),.*+-]))/y;
/** Comments, also those with hints, and the end of a statement of a model. */
const IGNORED = /\/\*.*?\*\/|;\s*$/gs;

type Token = { kind: 'parameter' | 'text' | 'number' | 'word' | 'sign' | 'end'; text: string };

/** Reads the words and signs of one SQL statement one by one. */
export class SqlReader {
  private readonly tokens: Token[];
  private position = 0;
  private parameters = 0;

  constructor(private readonly sql: string) {
    this.tokens = tokensOf(sql);
  }

  /** Takes these words, in any case, if they come next. */
  takeWords(...words: string[]): boolean {
    const come = words.every((word, index) => {
      const token = this.tokens[this.position + index];
      return token?.kind === 'word' && token.text.toUpperCase() === word;
    });
    if (come) this.position += words.length;
    return come;
  }

  takeSign(...signs: string[]): string | undefined {
    const token = this.token();
    if (token.kind !== 'sign' || !signs.includes(token.text)) return undefined;
    this.position += 1;
    return token.text;
  }

  takeText(): string | undefined {
    return this.take('text')?.replace(/''|\\(.)/gs, (_, escaped?: string) => escaped ?? "'");
  }

  takeNumber(): number | undefined {
    const text = this.take('number');
    return text === undefined ? undefined : Number(text);
  }

  /** The index of the parameter, if one comes next. */
  takeParameter(): number | undefined {
    if (this.take('parameter') === undefined) return undefined;
    this.parameters += 1;
    return this.parameters - 1;
  }

  needWords(...words: string[]): void {
    if (!this.takeWords(...words)) this.fail(words.join(' '));
  }

  needSign(sign: string): void {
    if (this.takeSign(sign) === undefined) this.fail(sign);
  }

  needName(): string {
    return this.take('word') ?? this.fail('a name');
  }

  /** Whether one of these words comes next; takes nothing. */
  isAt(...words: string[]): boolean {
    const { kind, text } = this.token();
    return kind === 'word' && words.includes(text.toUpperCase());
  }

  /** The table of `table.*`, if that comes next. */
  takeStarOf(): string | undefined {
    const [table, dot, star] = this.tokens.slice(this.position, this.position + 3);
    if (table?.kind !== 'word' || dot?.text !== '.' || star?.text !== '*') return undefined;
    this.position += 3;
    return table.text;
  }

  isAtWord(): boolean {
    return this.token().kind === 'word';
  }

  needEnd(): void {
    if (this.token().kind !== 'end') this.fail('the end');
  }

  fail(expected: string): never {
    throw new NotSimulated(`"${this.token().text}" instead of ${expected} in: ${this.sql}`);
  }

  private take(kind: Token['kind']): string | undefined {
    const token = this.token();
    if (token.kind !== kind) return undefined;
    this.position += 1;
    return token.text;
  }

  private token(): Token {
    return this.tokens[this.position] ?? { kind: 'end', text: '' };
  }
}

function tokensOf(sql: string): Token[] {
  const text = sql.replace(IGNORED, '').trim();
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const at = TOKEN.lastIndex;
    const [, parameter, quoted, number, word, sign] = TOKEN.exec(text) ?? [];
    if (parameter !== undefined) tokens.push({ kind: 'parameter', text: parameter });
    else if (quoted !== undefined) tokens.push({ kind: 'text', text: quoted });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else throw new NotSimulated(`"${text.slice(at, at + 40)}" in: ${sql}`);
  }
  return tokens;
}
