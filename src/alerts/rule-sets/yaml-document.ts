import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
} from 'yaml';
import { InvalidInput } from '../../platform/errors';
import { shortened } from '../../platform/start-of';
import type { Steps } from '../../platform/steps';

/** Place in a text, both from 1. */
export interface Place {
  line: number;
  column: number;
}

const MAX_BYTES = 500_000;
const MAX_DEPTH = 30;
/** Aliases count as what they stand for, here and in the length of all texts. */
const MAX_NODES = 50_000;
/** The library takes some microseconds for each. A rule has about 60. */
const MAX_PARTS = 60_000;
const PARTS_PER_STEP = 500;
/** Checked without regard to the structure: composing is recursive. */
const MAX_BRACKETS = 200;
const MAX_MESSAGE = 200;
const TOO_DEEP = 'is nested too deeply';
const CORE_TAG = /^tag:yaml\.org,2002:(?:str|int|float|bool|null|map|seq)$/;

/** Reads YAML 1.2, of which JSON is a part. Throws InvalidInput with the place of the mistake. */
export function* readYaml(text: string): Steps<YamlDocument> {
  if (Buffer.byteLength(text) > MAX_BYTES) throw tooLong(`must be at most ${MAX_BYTES} bytes`);
  const lines = new LineCounter();
  lines.addNewLine(0);
  const deep = firstTooDeep(text);
  const parser = new Parser(lines.addNewLine);
  const tokens: CST.Token[] = [];
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme));
    parts += 1;
    if (parts > MAX_PARTS) throw tooLong(`has more than ${MAX_PARTS} words and marks: make several rule sets of it`);
    if (parser.offset >= deep) throw located(placeIn(lines, deep), 'document', TOO_DEEP);
    if (parts % PARTS_PER_STEP === 0) yield;
  }
  tokens.push(...parser.end());
  yield;
  // Equal keys are found below: the library compares each key with all others.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false });
  const [document, second] = [...composer.compose(tokens, true, text.length)];
  if (second) throw located(placeIn(lines, second.range[0]), 'document', 'must be a single document');
  if (!document) throw tooLong('is empty');
  yield;
  return new YamlDocument(document, lines);
}

/** Plain data with the places of its parts. */
export class YamlDocument {
  readonly value: unknown;
  private readonly offsets = new Map<string, number>();
  private readonly anchors = new Map<string, Node>();
  private nodes = 0;
  private length = 0;

  constructor(
    document: Document.Parsed,
    private readonly lines: LineCounter,
  ) {
    const [mistake] = [...document.errors, ...document.warnings];
    if (mistake) {
      const why = /call stack/.test(mistake.message)
        ? TOO_DEEP
        : `cannot be read: ${shortened(mistake.message, MAX_MESSAGE)}`;
      throw this.mistakeAt(mistake.pos[0], 'document', why);
    }
    this.value = this.read(document.contents, '', 0);
  }

  /** A missing field has the place of what lacks it. */
  placeOf(path: string): Place {
    for (let at = path; ; at = at.replace(/(?:^|[.[])[^.[]*$/, '')) {
      const offset = this.offsets.get(at);
      if (offset !== undefined || at === '') return placeIn(this.lines, offset ?? 0);
    }
  }

  /** A message with the place, and the reason by its path. */
  mistake(path: string, why: string): InvalidInput {
    return located(this.placeOf(path), path || 'document', why);
  }

  private mistakeAt(offset: number, path: string, why: string): InvalidInput {
    return located(placeIn(this.lines, offset), path || 'document', why);
  }

  private read(node: unknown, path: string, depth: number): unknown {
    const target = isAlias(node) ? this.resolve(node, path) : (node as Node | null); // the library's nodes
    if (target && 'anchor' in target && target.anchor !== undefined) this.anchors.set(target.anchor, target);
    const offset = (node as Node | null)?.range?.[0];
    if (offset !== undefined) this.offsets.set(path, offset);
    this.nodes += 1;
    this.requireRoom(path);
    if (depth > MAX_DEPTH) throw this.mistake(path, TOO_DEEP);
    if (target === null) return null;
    if (target.tag !== undefined && !CORE_TAG.test(target.tag)) throw this.mistake(path, 'must not have a tag');
    if (isMap(target)) return this.readMap(target.items, path, depth);
    if (isSeq(target)) return target.items.map((item, index) => this.read(item, `${path}[${index}]`, depth + 1));
    return this.readScalar(isScalar(target) ? target.value : undefined, path);
  }

  private readMap(items: readonly { key: unknown; value: unknown }[], path: string, depth: number): object {
    const result: Record<string, unknown> = {};
    for (const { key, value } of items) {
      const offset = (key as Node | null)?.range?.[0] ?? 0;
      const name = isScalar(key) && key.tag === undefined ? key.value : undefined;
      if (typeof name !== 'string' && typeof name !== 'number' && typeof name !== 'boolean') {
        throw this.mistakeAt(offset, path, 'must have texts as the names of its fields');
      }
      const at = path === '' ? String(name) : `${path}.${name}`;
      if (Object.hasOwn(result, String(name))) throw this.mistakeAt(offset, at, 'is written twice');
      if (name === '__proto__') throw this.mistakeAt(offset, at, 'is no name of a field');
      this.requireRoom(at, String(name).length);
      result[String(name)] = this.read(value, at, depth + 1);
      this.offsets.set(at, offset);
    }
    return result;
  }

  private readScalar(value: unknown, path: string): unknown {
    if (typeof value === 'string') this.requireRoom(path, value.length);
    if (typeof value !== 'number') return value;
    if (!Number.isFinite(value)) throw this.mistake(path, 'must be a number that JSON can hold');
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw this.mistake(path, 'has too many digits for a number: write it in quotes');
    }
    return value;
  }

  private requireRoom(path: string, more = 0): void {
    this.length += more;
    if (this.nodes > MAX_NODES || this.length > MAX_BYTES) {
      throw this.mistake(path, 'repeats too much by aliases, or is too long');
    }
  }

  private resolve({ source, range }: Alias, path: string): Node {
    const target = this.anchors.get(source);
    if (target === undefined)
      throw this.mistakeAt(
        range?.[0] ?? 0,
        path,
        `refers to *${shortened(source, MAX_MESSAGE)}, which is not before it`,
      );
    return target;
  }
}

function placeIn(lines: LineCounter, offset: number): Place {
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}

function tooLong(why: string): InvalidInput {
  return InvalidInput.field('document', why);
}

function located({ line, column }: Place, path: string, why: string): InvalidInput {
  return new InvalidInput(`line ${line}, column ${column}: ${path} ${why}`, { [path]: why });
}

/** Where more collections begin in each other than any rule set has; also those that begin in one line (`- - -`). */
function firstTooDeep(text: string): number {
  let open = 0;
  for (const { index, 0: mark } of text.matchAll(/[[\]{}]|(?:^|\n)[ \t]*(?:[-?] +){30,}/g)) {
    if (mark.length > 1) return index + 1;
    open = mark === '[' || mark === '{' ? open + 1 : Math.max(0, open - 1);
    if (open > MAX_BRACKETS) return index;
  }
  return Number.POSITIVE_INFINITY;
}
