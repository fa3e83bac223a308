import { shortened } from '../../platform/start-of';

/** Special characters of a line. */
export const [COMMA, SPACE, EQUALS, QUOTE, BACKSLASH] = [44, 32, 61, 34, 92] as const;
const [TAB, LINE_BREAK, RETURN] = [9, 10, 13];

/** Thrown for a line. No `Error`, whose stack would take most of the time. */
export class LineProblem {
  constructor(readonly message: string) {}
}

/** -1 if there is none. A backslash means itself, except before a special character. */
export function findUnescaped(text: string, code: number, from: number, end: number): number {
  for (let at = from; at < end; at += 1) {
    if (text.charCodeAt(at) === code && text.charCodeAt(at - 1) !== BACKSLASH) return at;
  }
  return -1;
}

export function splitUnescaped(text: string, code: number): string[] {
  const parts: string[] = [];
  for (let from = 0; ; ) {
    const at = findUnescaped(text, code, from, text.length);
    if (at < 0) return [...parts, text.slice(from)];
    parts.push(text.slice(from, at));
    from = at + 1;
  }
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB || code === RETURN;
}

export function skipBlanks(text: string, from: number, end: number): number {
  let at = from;
  while (at < end && isBlank(text.charCodeAt(at))) at += 1;
  return at;
}

export function withoutBlanks(text: string, from: number, end: number): number {
  let at = end;
  while (at > from && isBlank(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Without its escapes. */
export function readMeasurement(text: string): string {
  return text.includes('\\') ? text.replace(/\\([, ])/g, '$1') : text;
}

export function readName(text: string): string {
  return text.includes('\\') ? text.replace(/\\([,= ])/g, '$1') : text;
}

export function writeMeasurement(text: string): string {
  return /[, ]/.test(text) ? text.replace(/[, ]/g, '\\$&') : text;
}

export function writeName(text: string): string {
  return /[,= ]/.test(text) ? text.replace(/[,= ]/g, '\\$&') : text;
}

export function countLineBreaks(text: string, from: number, end: number): number {
  let count = 0;
  for (let at = from; at < end; at += 1) if (text.charCodeAt(at) === LINE_BREAK) count += 1;
  return count;
}

const SHOWN = 60;

export function show(text: string): string {
  return shortened(JSON.stringify(text.slice(0, SHOWN)), SHOWN);
}
