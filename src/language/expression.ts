import { type Expression as LibraryExpression, Parser } from 'expr-eval';
import { LruCache, weightOfText } from '../platform/lru-cache';
import { canonicalJson } from './canonical-json';
import type {
  Compiled,
  CompiledExpression,
  CompiledWindow,
  Evaluated,
  Surroundings,
  Variables,
} from './compiled-expression';
import { CannotEvaluate, resetVisits } from './evaluation-cost';
import { isList, type Operand, Structure } from './expression-comparison';
import { BINARY_OPERATORS, FUNCTIONS, truth, UNARY_OPERATORS } from './expression-operators';
import { scopeOf } from './expression-scope';
import { checkSyntax } from './expression-syntax';
import { TIME_FUNCTIONS } from './expression-time';
import { SyntaxProblem } from './expression-tokens';
import { type CheckedSyntax, namesIn, type Placeholder, type Vocabulary } from './expression-vocabulary';
import { type LabelCall, MAX_LABELS } from './labels';
import { FORBIDDEN_FIELDS } from './sensor-value';
import { TEMPLATE_FUNCTIONS } from './templates/template-functions';
import { ZONE_ARGUMENTS, ZONE_FUNCTIONS } from './zones/zone-functions';

export const TRIGGER_VARIABLES = [
  'last_triggered',
  'times_triggered',
  'last_sensor_data_value',
  'last_sensor_data_date',
  'sensor_data_value',
  'sensor_data_date',
  'current_time',
] as const;

export const MAX_EXPRESSION_LENGTH = 2000;

export interface NameOptions {
  variables: readonly string[] | ((name: string) => boolean);
  /** Names with parts, as `name.field`; or the rule that finds what has them. */
  withFields?: readonly string[] | Vocabulary['ownerOf'];
  meaningOf?: (unknown: string) => string | undefined;
  /** Numbers of written arguments, by function. */
  functions?: ReadonlyMap<string, number>;
  /** A function with the further argument `reader_timezone`. */
  zoned?: string;
  hasLabels?: boolean;
}

export interface CompileOptions extends NameOptions {
  windows?: NameOptions & Pick<Vocabulary, 'onlyName' | 'windowProblem'>;
}

const TRIGGER_OPTIONS: CompileOptions = {
  variables: TRIGGER_VARIABLES,
  withFields: ['sensor_data_value', 'last_sensor_data_value'],
  meaningOf: (unknown) =>
    /^value\b/.test(unknown)
      ? 'the value of the data point is "sensor_data_value"'
      : `a field of the value is written "sensor_data_value.${unknown}"`,
  hasLabels: true,
  functions: ZONE_ARGUMENTS,
  windows: {
    variables: ['sensor_data_value'],
    withFields: ['sensor_data_value'],
    hasLabels: true,
    onlyName: 'sensor_data_value',
  },
};

// A character takes up to 55 bytes: 33 MB.
const CACHED_CHARACTERS = 600_000;
// Callers with other vocabularies keep the result themselves.
const cache = new LruCache<string, Compiled>(CACHED_CHARACTERS, weightOfText);
const parser = lockedParser();

/** Checks a text and prepares it. A refusal has the reason and the 0-based offset. */
export function compileExpression(text: string, options?: CompileOptions): Compiled {
  // A text over the limit is cheap to refuse again and costly to keep.
  if (options || text.length > MAX_EXPRESSION_LENGTH * 2) return compile(text, options ?? TRIGGER_OPTIONS);
  return cache.get(text, () => compile(text, TRIGGER_OPTIONS));
}

function compile(text: string, options: CompileOptions): Compiled {
  try {
    if (isTooLong(text)) {
      throw new SyntaxProblem(`more than ${MAX_EXPRESSION_LENGTH} characters`, MAX_EXPRESSION_LENGTH);
    }
    const expression = new LibraryBacked(checkSyntax(text, vocabularyOf(options)));
    if (new Set(expression.labels.map(({ label }) => label)).size > MAX_LABELS)
      throw new SyntaxProblem(`more than ${MAX_LABELS} different labels`, 0);
    return { ok: true, expression };
  } catch (error) {
    if (error instanceof SyntaxProblem) return { ok: false, error: error.message, position: error.position };
    // The library's own limits: its parser is recursive.
    return { ok: false, error: 'the expression is too complex at position 0', position: 0 };
  }
}

/** The only use of the library. Users' objects never reach it. */
class LibraryBacked implements CompiledExpression {
  readonly windows: readonly CompiledWindow[];
  readonly labels: readonly LabelCall[];
  readonly names: ReadonlySet<string>;
  readonly readsOnlyValue: boolean;
  private readonly expression: LibraryExpression;
  private readonly scope: object;

  constructor({ text, placeholders }: CheckedSyntax) {
    this.expression = parser.parse(text);
    this.names = namesIn(placeholders);
    this.readsOnlyValue = placeholders.every(
      (one) => one.kind === 'constant' || (one.kind === 'variable' && one.owner === 'sensor_data_value'),
    );
    const windows = new Map<Placeholder, CompiledWindow>();
    for (const one of placeholders) {
      if (one.kind === 'window') windows.set(one, { ...one, x: new LibraryBacked(one.x) });
    }
    this.windows = [...windows.values()];
    const own = placeholders.flatMap((one) => (one.kind === 'label' ? [one] : []));
    this.labels = [...own, ...this.windows.flatMap(({ x }) => x.labels)];
    this.scope = scopeOf(placeholders, windows);
  }

  reads(name: string): boolean {
    return this.names.has(name);
  }

  evaluate(variables: Variables, surroundings?: Surroundings): Evaluated<boolean> {
    return guarded(() => truth(this.result(variables, surroundings)));
  }

  evaluateToValue(variables: Variables, surroundings?: Surroundings): Evaluated<number | string | boolean> {
    return guarded(() => scalar(this.result(variables, surroundings)));
  }

  evaluateToComparable(variables: Variables, surroundings?: Surroundings): Evaluated<number | string | boolean> {
    return guarded(() => {
      const result = this.result(variables, surroundings);
      if (isList(result) || result instanceof Structure) return canonicalJson(result);
      return scalar(result);
    });
  }

  private result(variables: Variables, surroundings?: Surroundings): Operand {
    resetVisits();
    const scope = Object.create(this.scope);
    scope.variables = variables;
    if (surroundings) scope.surroundings = surroundings;
    return this.expression.evaluate(scope);
  }
}

function scalar(result: Operand): number | string | boolean {
  if (typeof result === 'string' || typeof result === 'boolean') return result;
  if (typeof result === 'number' && Number.isFinite(result)) return result;
  throw new CannotEvaluate('the result is neither a number nor a string');
}

function guarded<T>(evaluation: () => T): Evaluated<T> {
  try {
    return { ok: true, value: evaluation() };
  } catch (error) {
    if (error instanceof CannotEvaluate) return { ok: false, error: error.message };
    return { ok: false, error: 'the expression cannot be evaluated with this value' };
  }
}

function vocabularyOf({ windows, ...options }: CompileOptions): Vocabulary {
  return { ...vocabularyOfNames(options), windows: windows && vocabularyOfWindows(windows) };
}

function vocabularyOfNames(options: NameOptions): Omit<Vocabulary, 'windows'> {
  const { variables, withFields = [], meaningOf = () => undefined, functions, zoned, hasLabels } = options;
  const listed = typeof variables === 'function' ? null : new Set(variables);
  return {
    isVariable: typeof variables === 'function' ? variables : (name) => listed?.has(name) ?? false,
    ownerOf: typeof withFields === 'function' ? withFields : (name) => (withFields.includes(name) ? name : undefined),
    isField: (name) => !FORBIDDEN_FIELDS.has(name),
    arity: (name) => functions?.get(name) ?? arityOf(name),
    isZoned: (name) => name === zoned,
    hasLabels,
    meaningOf,
  };
}

/** Functions of the time would read the evaluated point, and not the points of the window. */
function vocabularyOfWindows(options: NonNullable<CompileOptions['windows']>): Vocabulary {
  const arity = (name: string) => (TIME_FUNCTIONS.includes(name) ? undefined : arityOf(name));
  const { onlyName, windowProblem } = options;
  return { ...vocabularyOfNames(options), arity, onlyName, windowProblem, windows: 'inside' };
}

function arityOf(name: string): number | 'many' | undefined {
  if (TIME_FUNCTIONS.includes(name)) return 0;
  const operation = FUNCTIONS[name];
  if (operation) return operation.length || 'many';
  const isFunction = name in UNARY_OPERATORS && name !== 'truth' && name !== 'not';
  return isFunction ? 1 : undefined;
}

/** The tables hold only our own operations, and have no prototype. */
function lockedParser(): Parser {
  const locked = new Parser({
    allowMemberAccess: false,
    operators: { assignment: false, fndef: false, concatenate: false, factorial: false, in: true },
  });
  const ternaryOps = Object.assign(Object.create(null), { '?': null });
  const consts = Object.assign(Object.create(null), { true: true, false: false });
  return Object.assign(locked, {
    unaryOps: UNARY_OPERATORS,
    binaryOps: BINARY_OPERATORS,
    functions: Object.assign(Object.create(null), FUNCTIONS, TEMPLATE_FUNCTIONS, ZONE_FUNCTIONS),
    ternaryOps,
    consts,
  });
}

function isTooLong(text: string): boolean {
  if (text.length <= MAX_EXPRESSION_LENGTH) return false;
  // Counts code points, unless the text is too long in any case.
  return text.length > MAX_EXPRESSION_LENGTH * 2 || [...text].length > MAX_EXPRESSION_LENGTH;
}
