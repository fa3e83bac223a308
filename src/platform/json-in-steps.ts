import type { Steps } from './steps';

/** 2 ms, and 10 ms if all are long numbers. */
const SLICE = 65_536;

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];
const BLANK = /^[ \t\n\r]*$/;
const CONTINUES = 'nothing may follow the value';

/** A list or object whose end has not been read. */
interface Open {
  isList: boolean;
  /** Start of the unparsed members. */
  from: number;
  /** The last comma between members since `from`. */
  comma: number | undefined;
  /** Undefined while no part is parsed. */
  value: unknown[] | object | undefined;
  /** The text at `from` follows a parsed member: a comma or the end must come. */
  isAfterMember: boolean;
  /** A comma has been read and the next member not. */
  isMemberDue: boolean;
}

/** The mistake is at `position`, or in `slice`, whose second character is at `position`. */
export class JsonSliceError extends SyntaxError {
  constructor(
    message: string,
    readonly position: number,
    readonly slice?: string,
  ) {
    super(message);
  }
}

/**
 * Parses long lists and objects by slices of their members. Takes and refuses the same texts as `parse`. Throws a
 * `JsonSliceError`, or the error of `parse` for a text that is one slice.
 */
export function* parseJsonInSteps(text: string, parse: (json: string) => unknown, sliceLength = SLICE): Steps<unknown> {
  if (text.length <= sliceLength) return parse(text);
  const reader = new SlicedJson(text, parse);
  let cutAt = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) reader.open(at, code === OPEN_LIST);
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) reader.close(at, code === CLOSE_LIST);
    else if (code === COMMA) {
      const isCut = at - cutAt > sliceLength;
      reader.comma(at, isCut);
      if (!isCut) continue;
      cutAt = at;
      yield;
    }
  }
  return reader.finish();
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

/** The open lists and objects at a place in a text; the outer ones may be parsed in part. */
class SlicedJson {
  private readonly stack: Open[] = [];
  private root: { value: unknown; end: number } | undefined;

  constructor(
    private readonly text: string,
    private readonly parse: (json: string) => unknown,
  ) {}

  open(at: number, isList: boolean): void {
    if (this.stack.length === 0) {
      if (this.root) throw new JsonSliceError(CONTINUES, this.root.end);
      this.requireBlank(0, at);
    }
    if (this.stack.at(-1)?.isAfterMember) throw new JsonSliceError('a comma is missing', at);
    const value = undefined;
    this.stack.push({ isList, from: at + 1, comma: undefined, value, isAfterMember: false, isMemberDue: false });
  }

  comma(at: number, isCut: boolean): void {
    const top = this.stack.at(-1);
    if (!top) return;
    if (top.isAfterMember) {
      this.endMember(top, at);
      return;
    }
    top.comma = at;
    if (!isCut) return;
    this.begin();
    this.parseMembers(top, at);
  }

  close(at: number, isList: boolean): void {
    const closed = this.stack.pop();
    if (!closed || closed.isList !== isList) throw new JsonSliceError('this bracket closes nothing', at);
    if (this.stack.length === 0) this.root = { value: undefined, end: at + 1 };
    if (!closed.value) return;
    if (closed.isAfterMember) this.requireBlank(closed.from, at);
    else this.parseMembers(closed, at);
    if (this.root) this.root.value = closed.value;
    const parent = this.stack.at(-1);
    if (!parent) return;
    parent.from = at + 1;
    parent.isAfterMember = true;
  }

  finish(): unknown {
    const isCut = this.root ? this.root.value !== undefined : this.stack[0]?.value !== undefined;
    if (!isCut) return this.parse(this.text);
    if (!this.root) throw new JsonSliceError('a closing bracket is missing', this.text.length);
    this.requireBlank(this.root.end, this.text.length, CONTINUES);
    return this.root.value;
  }

  private endMember(open: Open, at: number): void {
    this.requireBlank(open.from, at);
    open.from = at + 1;
    open.comma = undefined;
    open.isAfterMember = false;
    open.isMemberDue = true;
  }

  private begin(): void {
    for (const [depth, open] of this.stack.entries()) {
      if (open.value) continue;
      open.value = open.isList ? [] : {};
      const parent = this.stack[depth - 1];
      if (parent) this.addMember(parent, open);
    }
  }

  private addMember(parent: Open, inner: Open): void {
    if (parent.comma !== undefined) this.parseMembers(parent, parent.comma);
    if (parent.isList) {
      this.requireBlank(parent.from, inner.from - 1);
      append(parent.value, [inner.value]);
      return;
    }
    const name = this.text.slice(parent.from, inner.from - 1);
    for (const only of Object.keys(this.parseSlice(`{${name}[]}`, parent.from)))
      define(parent.value, only, inner.value);
  }

  private parseMembers(open: Open, end: number): void {
    const members = this.text.slice(open.from, end);
    const isAtComma = this.text.charCodeAt(end) === COMMA;
    if ((isAtComma || open.isMemberDue) && BLANK.test(members)) throw new JsonSliceError('a value is missing', end);
    open.from = end + 1;
    open.comma = undefined;
    open.isMemberDue = isAtComma;
    const parsed = this.parseSlice(open.isList ? `[${members}]` : `{${members}}`, end - members.length);
    if (open.isList) append(open.value, parsed);
    else for (const [name, value] of Object.entries(parsed)) define(open.value, name, value);
  }

  private parseSlice(json: string, position: number): object {
    try {
      return Object(this.parse(json));
    } catch (error) {
      if (error instanceof SyntaxError) throw new JsonSliceError(error.message, position, json);
      throw error;
    }
  }

  private requireBlank(from: number, end: number, why = 'a comma is missing'): void {
    if (!BLANK.test(this.text.slice(from, end))) throw new JsonSliceError(why, from);
  }
}

function append(list: unknown, members: unknown): void {
  if (Array.isArray(list) && Array.isArray(members)) for (const member of members) list.push(member);
}

/** An own property, as in `JSON.parse`: one may be named `__proto__`. */
function define(target: object | undefined, name: string, value: unknown): void {
  if (!target) return;
  if (name !== '__proto__') Reflect.set(target, name, value);
  else Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true });
}
