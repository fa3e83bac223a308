import type { CompiledWindow, Surroundings, Variables } from './compiled-expression';
import { CannotEvaluate } from './evaluation-cost';
import { type Operand, operandOf } from './expression-comparison';
import { timeAt } from './expression-time';
import { shownPart } from './expression-tokens';
import type { Placeholder, WrittenVariable } from './expression-vocabulary';
import { valueOfLabel } from './labels';
import { type ExpressionValue, partOf, whyNoPart } from './sensor-value';
import { valueOfZone, zoneOperand } from './zones/zone-functions';

const DATE = { name: 'sensor_data_date', owner: 'sensor_data_date', path: [] };

export interface Scope {
  variables: Variables;
  surroundings?: Surroundings;
}

/** Getters, so that a missing field or window matters only if the evaluation reads it. */
export function scopeOf(placeholders: Placeholder[], windows: ReadonlyMap<Placeholder, CompiledWindow>): object {
  const scope = Object.create(null);
  placeholders.forEach((placeholder, index) => {
    const window = windows.get(placeholder);
    Object.defineProperty(scope, `v${index}`, { get: window ? getterOfWindow(window) : getterOf(placeholder) });
  });
  return scope;
}

function getterOfWindow(window: CompiledWindow): (this: Scope) => Operand {
  return function () {
    const results = this.surroundings?.windowResults;
    if (!results) throw new Error(`the points of "${window.name}" are not given`);
    return results(window);
  };
}

function getterOf(placeholder: Placeholder): (this: Scope) => Operand {
  switch (placeholder.kind) {
    case 'constant':
      return () => placeholder.value;
    case 'variable':
      return function () {
        return operandOf(valueAt(this.variables, placeholder));
      };
    case 'time':
      return function () {
        return localTimeOf(this.variables, placeholder.name);
      };
    case 'label':
      return function () {
        return valueOfLabel(placeholder, this.surroundings?.labels);
      };
    case 'zone':
      return function () {
        const name = valueOfZone(placeholder.name);
        const value = valueAt(this.variables, { name, owner: name, path: [] });
        return zoneOperand(placeholder.name, value, this.surroundings?.zones);
      };
    case 'window':
      throw new Error('a window has a getter of its own');
  }
}

function localTimeOf(variables: Variables, name: string): number {
  const { timezone } = variables;
  const date = Number(valueAt(variables, DATE));
  return timeAt(name, date, typeof timezone === 'string' ? timezone : 'UTC');
}

function valueAt(variables: Variables, { name, owner, path }: Omit<WrittenVariable, 'kind'>): ExpressionValue {
  let value = Object.hasOwn(variables, owner) ? variables[owner] : undefined;
  if (value === undefined || (value === null && path.length === 0)) throw new CannotEvaluate(`${name} has no value`);
  let reached = name;
  for (const part of path) {
    const found: ExpressionValue | undefined = partOf(value, part);
    reached += shownPart(part);
    if (found === undefined) throw new CannotEvaluate(`${reached} ${whyNoPart(value, part)}`);
    value = found;
  }
  return value;
}
