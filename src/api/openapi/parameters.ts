import type { OpenApiDocument, Parameter } from './document';
import { operationsOf } from './document';

/** Ids as in the examples of bodies and responses. */
const EXAMPLE_IDS: Record<string, string> = { sensor: '42', trigger: '5', notification: '7', user: '1', group: '9' };

/** Describes ids, and moves examples of optional parameters into schemas: some tools send an `example` unasked. */
export function describeParameters(document: OpenApiDocument): void {
  for (const { path, operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) {
      if (parameter.in === 'path') describePathParameter(path, parameter);
      if (!parameter.required) moveExample(parameter);
    }
  }
}

function describePathParameter(path: string, parameter: Parameter): void {
  const kind = kindOf(path, parameter.name);
  if (kind === undefined) return;
  parameter.description ??= `The id of the ${kind}.`;
  parameter.example ??= EXAMPLE_IDS[kind] ?? '3';
}

function moveExample(parameter: Parameter): void {
  if (parameter.example === undefined) return;
  parameter.schema = { ...parameter.schema, examples: [parameter.example] };
  delete parameter.example;
}

/** `{trigger_id}` is a trigger, `{id}` the kind of the segments before it. */
export function firstKindIn(path: string): string | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return names.map((name) => kindOf(path, name)).find((kind) => kind !== undefined);
}

function kindOf(path: string, name: string): string | undefined {
  const named = /^(\w+)_id$/.exec(name)?.[1];
  if (named) return NAMED_OTHERWISE[named] ?? named.replaceAll('_', ' ');
  if (name !== 'id') return undefined;
  const before =
    path
      .replace(/^\/oauth\//, '/')
      .split('/{id}')[0]
      ?.split('/')
      .filter(Boolean) ?? [];
  return before.map(singular).join(' ');
}

function singular(plural: string): string {
  const words = plural.replaceAll('_', ' ').replace(/^mqtt /, 'MQTT ');
  return words === 'series' ? words : words.replace(/ies$/, 'y').replace(/s$/, '');
}

const NAMED_OTHERWISE: Record<string, string> = { sub: 'sub environment', data: 'data point' };
