import type { Steps } from '../../platform/steps';
import type { CompiledExpression, Evaluated, Variables } from '../compiled-expression';
import { visitedItems } from '../evaluation-cost';
import { compileExpression } from '../expression';
import { tokensOf } from '../expression-tokens';
import { renderWord, type TextValues, type Word, whyEmptyWord, wordIn } from '../notification-text';
import { TEMPLATE_ARGUMENTS } from './template-functions';

/** The variables that a template may name. */
const TEMPLATE_VARIABLES = [
  ...[
    'text',
    'title',
    'message',
    'state',
    'severity',
    'kind',
    'test',
    'episode',
    'unit',
    'duration',
    'trigger_description',
  ],
  ...['acknowledge_url', 'chart_url', 'webhook_id', 'date', 'sensor_id', 'sensor_name', 'trigger_id', 'trigger_name'],
  ...['sensor_data_value', 'sensor_data_date', 'last_sensor_data_value', 'last_sensor_data_date'],
  ...['last_triggered', 'times_triggered', 'current_time', 'event', 'subject_id', 'source_id', 'user_id', 'secrets'],
] as const;

const NAMES: ReadonlySet<string> = new Set(TEMPLATE_VARIABLES);
const VALUES: ReadonlySet<string> = new Set(['sensor_data_value', 'last_sensor_data_value']);
const OPTIONS = {
  variables: TEMPLATE_VARIABLES,
  withFields: [...VALUES, 'secrets'],
  functions: TEMPLATE_ARGUMENTS,
  zoned: 'local',
};
/** An expression in braces. Braces inside a string constant belong to the constant. */
const INSERTION = /\{\{((?:[^"}]|"(?:[^"\\]|\\.)*"|\}(?!\}))*)\}\}/suy;

/** Maximum number of characters that the values of one request may have together; the rest is cut off. */
const MAX_INSERTED = 65_536;
const MAX_PROBLEMS = 5;
/** Maximum number of items that the expressions of one request visit together, before the last one. */
const MAX_VISITED_ITEMS = 100_000;

/** The values of one request, and what is left of its bounds. Every template of the request gets the same one. */
export class Rendering {
  /** Why expressions could not be evaluated, without repetitions. */
  readonly problems = new Set<string>();
  private room = MAX_INSERTED;
  private visited = 0;

  /** `shown` has the values as texts show them, `variables` as expressions read them. */
  constructor(
    readonly shown: TextValues,
    private readonly variables: Variables,
  ) {}

  note(problem: string): void {
    if (this.problems.size < MAX_PROBLEMS) this.problems.add(problem);
  }

  /** Evaluates an expression, unless the previous ones have used up the bound of the request. */
  evaluate(expression: CompiledExpression): Evaluated<number | string | boolean> {
    if (this.visited > MAX_VISITED_ITEMS) return { ok: false, error: 'the templates of the request are too expensive' };
    const result = expression.evaluateToValue(this.variables);
    this.visited += visitedItems();
    return result;
  }

  /** The text, or the part of it for which there is room. */
  take(text: string): string {
    const taken = text.length <= this.room ? text : text.slice(0, this.room).replace(/[\ud800-\udbff]$/, '');
    this.room -= taken.length;
    return taken;
  }
}

/** Where and why a template cannot be used. */
export interface TemplateProblem {
  error: string;
  /** 0-based, in the text of the template. */
  position: number;
}

interface Insertion {
  source: string;
  expression: CompiledExpression;
}

/** A text with expressions in double braces. Renders in one pass: inserted text is not searched for templates. */
export class Template {
  private constructor(private readonly parts: readonly (string | Insertion)[]) {}

  /** Checks the text, and that it reads no other secrets than these if they are given. */
  static compile(text: string, secrets?: ReadonlySet<string>): { template: Template } | { problem: TemplateProblem } {
    const parts: (string | Insertion)[] = [];
    let at = 0;
    for (let open = text.indexOf('{{'); open >= 0; open = text.indexOf('{{', at)) {
      INSERTION.lastIndex = open;
      const found = INSERTION.exec(text);
      if (!found) return { problem: { error: '"}}" is missing', position: open } };
      const compiled = compileExpression(found[1] ?? '', OPTIONS);
      if (!compiled.ok) return { problem: problemAt(compiled, open + 2) };
      const unknown = compiled.expression.reads('secrets') && secrets && unknownSecret(found[1] ?? '', secrets);
      if (unknown) return { problem: problemAt(unknown, open + 2) };
      parts.push(text.slice(at, open), { source: (found[1] ?? '').trim(), expression: compiled.expression });
      at = INSERTION.lastIndex;
    }
    return { template: new Template([...parts, text.slice(at)].filter((part) => part !== '')) };
  }

  /** Number of expressions. */
  get size(): number {
    return this.parts.filter((part) => typeof part !== 'string').length;
  }

  /** The fields and items of values that its expressions read. */
  get fields(): Word[] {
    const read = this.parts.flatMap((part) => (typeof part === 'string' ? [] : tokensOf(part.source)));
    return read.flatMap(({ kind, value, path }) =>
      kind === 'name' && VALUES.has(value) && path.length > 0 ? [{ name: value, path }] : [],
    );
  }

  /** The text with its values, a step for each expression; `encode` is applied to each value. */
  *render(rendering: Rendering, encode: (value: string) => string = (value) => value): Steps<string> {
    const texts: string[] = [];
    for (const part of this.parts) {
      if (typeof part !== 'string') yield;
      texts.push(typeof part === 'string' ? part : encode(insert(part, rendering)));
    }
    return texts.join('');
  }

  /** The text with a mark in the place of each expression. */
  renderMarks(mark: string): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : mark)).join('');
  }

  /** The number of a template that consists of one call of `number`; undefined for any other template. */
  numberIn(rendering: Rendering): number | null | undefined {
    const [only, ...others] = this.parts;
    if (only === undefined || typeof only === 'string' || others.length > 0) return undefined;
    if (!/^number\s*\(/.test(only.source)) return undefined;
    const value = evaluate(only, rendering);
    return typeof value === 'number' ? value : null;
  }
}

function insert(insertion: Insertion, rendering: Rendering): string {
  const word = wordIn(insertion.source);
  const isVariable = word !== undefined && NAMES.has(word.name);
  const why = isVariable ? whyEmptyWord(word, rendering.shown) : undefined;
  if (why !== undefined) rendering.note(`{{${insertion.source}}}: ${why}`);
  const text = isVariable ? renderWord(word, rendering.shown) : String(evaluate(insertion, rendering) ?? '');
  return rendering.take(text);
}

/** The result of an expression. One that cannot be evaluated is noted. */
function evaluate({ source, expression }: Insertion, rendering: Rendering): number | string | boolean | undefined {
  const result = rendering.evaluate(expression);
  if (result.ok) return result.value;
  rendering.note(`{{${source}}}: ${result.error}`);
  return undefined;
}

/** The first mention of a secret that is not one of these. */
function unknownSecret(source: string, secrets: ReadonlySet<string>): TemplateProblem | undefined {
  for (const { kind, value, path, position } of tokensOf(source)) {
    if (kind !== 'name' || value !== 'secrets') continue;
    const [part] = path;
    if (typeof part !== 'object')
      return { error: '"secrets" needs the name of a secret, as in secrets.token', position };
    if (!secrets.has(part.name)) return { error: `there is no secret "${part.name}"`, position };
  }
  return undefined;
}

function problemAt({ error, position }: TemplateProblem, offset: number): TemplateProblem {
  return { error: error.replace(/ at position \d+$/, ''), position: position + offset };
}
