import { startOf } from '../../platform/start-of';
import type { Steps } from '../../platform/steps';
import type { CompiledExpression, Evaluated, Variables } from '../compiled-expression';
import { visitedItems } from '../evaluation-cost';
import { compileExpression } from '../expression';
import { tokensOf } from '../expression-tokens';
import type { SensorLabels } from '../labels';
import { renderWord, type TextValues, type Word, whyEmptyWord, wordIn } from '../notification-text';
import { TEMPLATE_ARGUMENTS } from './template-functions';

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
  ...[
    'acknowledge_url',
    'chart_url',
    'webhook_id',
    'date',
    'sensor_id',
    'sensor_name',
    'trigger_id',
    'trigger_name',
    'zone',
    'acknowledged_by',
    'assigned_to',
  ],
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
  hasLabels: true,
};
/** Braces inside a string constant belong to the constant. */
const INSERTION = /\{\{((?:[^"}]|"(?:[^"\\]|\\.)*"|\}(?!\}))*)\}\}/suy;

/** Characters of all values of one request; the rest is cut off. */
const MAX_INSERTED = 65_536;
const MAX_PROBLEMS = 5;
const MAX_VISITED_ITEMS = 100_000;

/** The values of one request and what is left of its bounds, shared by its templates. */
export class Rendering {
  /** Why expressions failed, without repetitions. */
  readonly problems = new Set<string>();
  private room = MAX_INSERTED;
  private visited = 0;

  /** `shown` for texts, `variables` for expressions. */
  constructor(
    readonly shown: TextValues,
    private readonly variables: Variables,
    private readonly labels?: SensorLabels,
  ) {}

  note(problem: string): void {
    if (this.problems.size < MAX_PROBLEMS) this.problems.add(problem);
  }

  evaluate(expression: CompiledExpression): Evaluated<number | string | boolean> {
    if (this.visited > MAX_VISITED_ITEMS) return { ok: false, error: 'the templates of the request are too expensive' };
    const result = expression.evaluateToValue(this.variables, { labels: this.labels });
    this.visited += visitedItems();
    return result;
  }

  take(text: string): string {
    const taken = startOf(text, this.room);
    this.room -= taken.length;
    return taken;
  }
}

export interface TemplateProblem {
  error: string;
  /** 0-based, in the text of the template. */
  position: number;
}

interface Insertion {
  source: string;
  expression: CompiledExpression;
}

/** Inserted text is not searched for expressions. */
export class Template {
  private constructor(private readonly parts: readonly (string | Insertion)[]) {}

  /** The text may read no other secrets than `secrets`, if given. */
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

  /** One step per expression. `encode` is applied to each value. */
  *render(rendering: Rendering, encode: (value: string) => string = (value) => value): Steps<string> {
    const texts: string[] = [];
    for (const part of this.parts) {
      if (typeof part !== 'string') yield;
      texts.push(typeof part === 'string' ? part : encode(insert(part, rendering)));
    }
    return texts.join('');
  }

  renderMarks(mark: string): string {
    return this.parts.map((part) => (typeof part === 'string' ? part : mark)).join('');
  }

  /** The number, if the template is one call of `number`; otherwise undefined. */
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

function evaluate({ source, expression }: Insertion, rendering: Rendering): number | string | boolean | undefined {
  const result = rendering.evaluate(expression);
  if (result.ok) return result.value;
  rendering.note(`{{${source}}}: ${result.error}`);
  return undefined;
}

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
