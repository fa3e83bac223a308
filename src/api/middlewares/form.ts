import { BrokenText, readText } from '../../edge/bytes-as-text';
import { InvalidInput } from '../../platform/errors';

/** Ten thousand points with ten fields each. Names cost more than their bytes. */
const MAX_PARAMETERS = 100_000;
const MAX_DEPTH = 10;
/** Escapes that are not UTF-8 are decoded one by one: some 30 ms. */
const MAX_DECODED = 65_536;
/** Longer lists must have (almost) no gaps: a large number is a name, as in `[2024]`. */
const MAX_GAPPED = 1_000;
const INDEX = /^(?:0|[1-9]\d{0,8})$/;

interface Branch {
  entries: Map<string, string | Branch>;
  /** The index of the next `[]`. */
  next: number;
  onlyIndexes: boolean;
}

/**
 * Bracket names and lists: `a[b]=1`, `a[0]=1`, `a[]=1`, `a=1&a=2`. Without indexes (`a[][x]=1&a[][y]=2`) a name that
 * the last record has begins the next one, as in Rack. Linear in the text, whatever the indexes. Escaped bytes of a
 * body are UTF-8 or of its charset, or refused; of a query, which has no charset, they stay escaped.
 */
export function parseForm(text: string | null, charset?: string): Record<string, unknown> {
  const root = newBranch();
  let count = 0;
  const decoder = new Decoder(charset);
  for (const [name, value] of parametersOf(text ?? '', decoder)) {
    if (++count > MAX_PARAMETERS) throw new InvalidInput(`a form holds at most ${MAX_PARAMETERS} parameters`);
    const path = pathOf(name);
    // Names of properties that every object inherits are ignored.
    if (!path.some((segment) => segment in Object.prototype)) put(root, path, value);
  }
  return toRecord(root);
}

function* parametersOf(text: string, decoder: Decoder): Generator<[string, string]> {
  let at = 0;
  while (at < text.length) {
    const found = text.indexOf('&', at);
    const end = found < 0 ? text.length : found;
    const part = text.slice(at, end);
    const equals = part.indexOf('=');
    if (equals < 0 && part !== '') yield [decoder.decode(part), ''];
    else if (equals > 0) yield [decoder.decode(part.slice(0, equals)), decoder.decode(part.slice(equals + 1))];
    at = end + 1;
  }
}

class Decoder {
  private decoded = 0;

  constructor(private readonly charset: string | undefined) {}

  /** Throws InvalidInput. */
  decode(text: string): string {
    const spaced = text.replaceAll('+', ' ');
    if (!spaced.includes('%')) return spaced;
    try {
      return decodeURIComponent(spaced);
    } catch {
      // A percent sign of its own is text.
      return this.charset === undefined || /%(?![0-9a-f]{2})/i.test(spaced)
        ? spaced
        : this.decodeBytes(spaced, this.charset);
    }
  }

  /** Escapes that are not UTF-8. */
  private decodeBytes(escaped: string, charset: string): string {
    this.decoded += escaped.length;
    if (this.decoded > MAX_DECODED)
      throw new InvalidInput(`a form holds at most ${MAX_DECODED} characters with escapes that are not UTF-8`);
    try {
      return escaped.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
        return readText(Buffer.from(run.replaceAll('%', ''), 'hex'), charset);
      });
    } catch (error) {
      if (!(error instanceof BrokenText)) throw error;
      const shown = escaped.slice(0, 60);
      throw new InvalidInput(`the form has ${shown}, which ${error.message}`, undefined, 'broken_encoding');
    }
  }
}

/** `a[b][]` is `a`, `b` and `''`. A name without a closing bracket, or nested too deeply, is a single one. */
function pathOf(name: string): string[] {
  let open = name.indexOf('[');
  if (open < 0) return [name];
  const path = open === 0 ? [] : [name.slice(0, open)];
  while (open >= 0) {
    const close = path.length > MAX_DEPTH ? -1 : name.indexOf(']', open);
    if (close < 0) return [...path, name.slice(open)];
    path.push(name.slice(open + 1, close));
    open = name.indexOf('[', close);
  }
  return path;
}

function put(root: Branch, path: readonly string[], value: string): void {
  let branch = root;
  for (const [depth, segment] of path.entries()) {
    const behind = path.slice(depth + 1);
    const key = segment === '' ? indexOfNext(branch, behind) : segment;
    const known = branch.entries.get(key);
    if (behind.length > 0) branch = typeof known === 'object' ? known : set(branch, key, newBranch(known));
    else if (known === undefined) set(branch, key, value);
    else if (typeof known === 'object') set(known, String(known.next), value);
    else set(branch, key, newBranch(known, value));
  }
}

/** `[]` means the last record while it has no value here, otherwise the next one. */
function indexOfNext(branch: Branch, behind: readonly string[]): string {
  const last = branch.entries.get(String(branch.next - 1));
  return behind.length === 0 || typeof last !== 'object' || has(last, behind)
    ? String(branch.next)
    : String(branch.next - 1);
}

function has(branch: Branch, path: readonly string[]): boolean {
  let one: string | Branch | undefined = branch;
  for (const segment of path) {
    // A list in the record is continued.
    if (segment === '' || typeof one !== 'object') return false;
    one = one.entries.get(segment);
  }
  return one !== undefined;
}

function newBranch(...values: (string | undefined)[]): Branch {
  const branch: Branch = { entries: new Map(), next: 0, onlyIndexes: true };
  for (const value of values) if (value !== undefined) set(branch, String(branch.next), value);
  return branch;
}

function set<T extends string | Branch>(branch: Branch, key: string, value: T): T {
  branch.entries.set(key, value);
  if (INDEX.test(key)) branch.next = Math.max(branch.next, Number(key) + 1);
  else branch.onlyIndexes = false;
  return value;
}

function toValue(entry: string | Branch): unknown {
  if (typeof entry === 'string') return entry;
  const { entries, next, onlyIndexes } = entry;
  const isList = onlyIndexes && (next <= MAX_GAPPED || next <= entries.size + 1);
  if (!isList) return toRecord(entry);
  const inOrder = [...entries].sort(([a], [b]) => Number(a) - Number(b));
  return inOrder.map(([, one]) => toValue(one));
}

function toRecord({ entries }: Branch): Record<string, unknown> {
  return Object.fromEntries([...entries].map(([key, entry]) => [key, toValue(entry)]));
}
