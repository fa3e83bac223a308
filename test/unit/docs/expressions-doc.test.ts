import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ruleProblem } from '../../../src/alerts/rules/trigger-rule';
import type { CompiledWindow, Evaluated, Variables } from '../../../src/language/compiled-expression';
import { compileExpression, TRIGGER_VARIABLES } from '../../../src/language/expression';
import { BINARY_OPERATORS, FUNCTIONS, UNARY_OPERATORS } from '../../../src/language/expression-operators';
import { TIME_FUNCTIONS } from '../../../src/language/expression-time';
import { compileFormula } from '../../../src/language/formula';
import { givenLabels, type SensorLabels } from '../../../src/language/labels';
import { readValue } from '../../../src/language/sensor-value';
import { SensorWindows } from '../../../src/language/windows/sensor-windows';
import { WINDOW_FUNCTIONS } from '../../../src/language/windows/window-call';
import type { SensorZones } from '../../../src/language/zones/sensor-zones';
import { ZONE_ARGUMENTS } from '../../../src/language/zones/zone-functions';
import { zoneIndexOf } from '../../../src/language/zones/zone-index';
import { codeBlocksIn, codeIn, readPage, tablesIn } from '../../support/markdown';

const PAGE = readPage('docs/expressions.md');
const TABLES = tablesIn(PAGE);
const RECIPES = tablesIn(readPage('docs/recipes.md'));

/** The rows of every table of both pages that has these columns, and no row of others. */
function rowsWith(...columns: string[]): Record<string, string>[] {
  const rows = [...TABLES, ...RECIPES]
    .flatMap((table) => table.rows)
    .filter((row) => columns.every((column) => column in row));
  assert.ok(rows.length > 0, `no table with ${columns.join(', ')}`);
  return rows;
}

function code(row: Record<string, string>, column: string): string {
  return codeIn(row[column]) ?? assert.fail(`no code in ${column} of ${JSON.stringify(row)}`);
}

/** As a client uploads it: text unchanged, everything else as JSON text. */
function uploaded(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function variablesOf(row: Record<string, string>): Variables {
  const read = (column: string) =>
    row[column] === undefined ? undefined : readValue(uploaded(JSON.parse(code(row, column))), 'float');
  const zone = row['time zone'];
  return {
    sensor_data_value: read('value'),
    last_sensor_data_value: read('previous value'),
    sensor_data_date: row.date === undefined ? undefined : Date.parse(code(row, 'date')) / 1000,
    timezone: zone === undefined ? undefined : code(row, 'time zone'),
  };
}

/** Those of the examples. */
const ZONES: SensorZones = {
  index: zoneIndexOf([
    { name: 'yard', outline: '52 4,52 5,53 5,53 4' },
    { name: 'country', outline: '40 0,40 20,60 20,60 0' },
  ]),
  place: null,
};

function labelsOf(row: Record<string, string>): SensorLabels | undefined {
  if (row.labels === undefined) return undefined;
  return { sensorName: 'freezer 7', values: givenLabels(JSON.parse(code(row, 'labels'))) };
}

function compiled(text: string) {
  const result = compileExpression(text);
  return result.ok ? result.expression : assert.fail(`${text}: ${result.error}`);
}

/** The expected outcome of a cell: JSON, or the error after "error:". */
function expected(cell: string, value: (text: string) => unknown): Evaluated<unknown> {
  const text = codeIn(cell) ?? cell;
  return cell.startsWith('error:') ? { ok: false, error: text } : { ok: true, value: value(text) };
}

const yesOrNo = (cell: string) => ({ yes: true, no: false })[cell] ?? assert.fail(cell);

describe('docs/expressions.md and the tables of docs/recipes.md', () => {
  for (const row of rowsWith('data type', 'stored', 'read as')) {
    it(`shows how ${row.stored} of a ${row['data type']} sensor is read`, () => {
      const value = readValue(code(row, 'stored'), code(row, 'data type'));
      assert.equal(JSON.stringify(value), code(row, 'read as'));
    });
  }

  for (const row of [...rowsWith('expression', 'result'), ...rowsWith('example', 'result')]) {
    const text = code(row, 'expression' in row ? 'expression' : 'example');
    it(`shows the result of ${text} with ${row.value ?? row.date ?? 'no value'}`, () => {
      const outcome = compiled(text).evaluateToValue(variablesOf(row), { labels: labelsOf(row), zones: ZONES });
      assert.deepEqual(outcome, expected(row.result ?? '', JSON.parse));
    });
  }

  for (const row of rowsWith('expression', 'fires')) {
    it(`shows whether ${row.expression} fires with ${row.value}`, () => {
      const outcome = compiled(code(row, 'expression')).evaluate(variablesOf(row));
      assert.deepEqual(outcome, expected(row.fires ?? '', yesOrNo));
    });
  }

  for (const row of rowsWith('expression', 'error')) {
    it(`shows why ${row.expression} ${'value' in row ? `has no result with ${row.value}` : 'is refused'}`, () => {
      const result = compileExpression(code(row, 'expression'));
      if (!('value' in row)) return assert.equal(result.ok ? 'accepted' : result.error, code(row, 'error'));
      const outcome = result.ok ? result.expression.evaluate(variablesOf(row)) : assert.fail(result.error);
      assert.deepEqual(outcome, { ok: false, error: code(row, 'error') });
    });
  }

  for (const row of rowsWith('formula', 'error')) {
    it(`shows why the formula ${row.formula} is refused`, () => {
      const result = compileFormula(code(row, 'formula'), [5, 7]);
      assert.equal(result.ok ? 'accepted' : result.error, code(row, 'error'));
    });
  }

  for (const row of rowsWith('call', 'points', 'gives')) {
    it(`shows the result of ${row.call} with the points ${row.points}`, () => {
      assert.deepEqual(evaluateWindows(code(row, 'call'), row).result, JSON.parse(code(row, 'gives')));
    });
  }

  for (const row of rowsWith('expression with a window', 'points', 'fires')) {
    it(`shows whether ${row['expression with a window']} fires with the points ${row.points}`, () => {
      const { outcome } = evaluateWindows(code(row, 'expression with a window'), row);
      assert.deepEqual(outcome, { ok: true, value: yesOrNo(row.fires ?? '') });
    });
  }

  it('names every window function', () => {
    const named = rowsWith('window function').map((row) => code(row, 'window function').split('(')[0]);
    assert.deepEqual([...named].sort(), [...WINDOW_FUNCTIONS].sort());
  });

  it('shows the response to an expression that is refused', () => {
    const shown = JSON.parse(codeBlocksIn(PAGE).find(({ language }) => language === 'json')?.text ?? '');
    const why = ruleProblem({ expression: 'humidity > 5', inactivity: null })?.why;
    assert.deepEqual(shown.fields, { 'trigger.expression': why });
    assert.equal(shown.error, `trigger.expression ${why}`);
  });

  it('names every operator, function and variable', () => {
    const cells = TABLES.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row)));
    const named = new Set(cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map((found) => found[1])));
    const operations = [UNARY_OPERATORS, BINARY_OPERATORS, FUNCTIONS].flatMap((table) => Object.keys(table));
    for (const name of operations.filter((operation) => operation !== 'truth')) {
      const calls = ['', '(x)', '(x, …)', '(text)', '(text, part)'].map((taken) => `${name}${taken}`);
      const isNamed = calls.some((call) => named.has(call));
      assert.ok(isNamed, `${name} is not named`);
    }
    const times = TIME_FUNCTIONS.map((name) => `${name}()`);
    const zones = [...ZONE_ARGUMENTS].map(([name, taken]) => `${name}(${taken === 1 ? 'name' : ''})`);
    for (const name of [...TRIGGER_VARIABLES, ...times, ...zones, '? :', '&&', '||', '!']) {
      assert.ok(named.has(name), `${name} is missing`);
    }
  });

  it('shows every error of the language', () => {
    const pages = PAGE + readPage('docs/templates.md');
    const shown = [...pages.matchAll(/`([^`\n]+)`/g)].map((found) => (found[1] ?? '').replaceAll('\\|', '|'));
    for (const message of messagesIn('src/language')) {
      const pattern = new RegExp(`^${message}( at position \\d+)?$`);
      assert.ok(
        shown.some((text) => pattern.test(text)),
        `no example of ${message}`,
      );
    }
  });
});

/** Evaluates an expression at the last of some points, one each minute; `x` is the value of the point. */
function evaluateWindows(text: string, row: Record<string, string>) {
  const points: unknown[] = JSON.parse(`[${code(row, 'points')}]`);
  const expression = compiled(text.replaceAll(/\bx\b/g, 'sensor_data_value'));
  const windows = new SensorWindows(expression.windows, { dataType: 'float', keptDays: null });
  for (const [index, point] of points.entries()) windows.put({ dateMs: index * 60_000, value: uploaded(point) });
  let result: number | undefined;
  const variables = { sensor_data_value: Number(points.at(-1)) };
  const windowResults = (window: CompiledWindow) => {
    result = windows.valueOf(window, (points.length - 1) * 60_000);
    return result;
  };
  const outcome = expression.evaluate(variables, { windowResults });
  return { outcome, result };
}

/** The messages of the errors that the code throws, as patterns: their variable parts may be anything. */
function messagesIn(folder: string): string[] {
  const listed = readdirSync(join(__dirname, '../../..', folder), { recursive: true, encoding: 'utf8' });
  const files = listed.filter((file) => file.endsWith('.ts'));
  const thrown = /new (?:SyntaxProblem|CannotEvaluate)\(\s*(['`])(?<message>(?:(?!\1).)*)\1/g;
  const found = files.flatMap((file) =>
    [...readPage(`${folder}/${file}`).matchAll(thrown)].map(({ groups }) => groups?.message ?? ''),
  );
  assert.ok(found.length > 20, `${found.length} messages`);
  return found.map((message) =>
    message
      .split(/\$\{[^}]*\}/)
      .map((part) => part.replaceAll(/\\(.)/g, '$1').replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
      .join('.+'),
  );
}
