import assert from 'node:assert/strict';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { completeDocument } from '../../../src/api/openapi';
import openapi from '../../../src/generated/openapi.json';

describe('the OpenAPI document', () => {
  const document = completeDocument(openapi);

  it('breaks none of the rules that Redocly recommends', async () => {
    const config = await createConfig({ extends: ['recommended'], telemetry: 'off' });
    const problems = await lintFromString({ source: JSON.stringify(document), config });
    assert.deepEqual(
      problems.map(({ ruleId, message, location }) => `${ruleId}: ${message} at ${location[0]?.pointer}`),
      [],
    );
  });

  it('has no example that its schema refuses', () => {
    const ajv = addFormats(new Ajv({ strict: false, allErrors: true })).addSchema(document, 'document');
    const problems: string[] = [];
    const check = (pointer: string, values: unknown[]) => {
      const validate = ajv.compile({ $ref: `document#${pointer}` });
      for (const value of values) if (!validate(value)) problems.push(`${pointer}: ${ajv.errorsText(validate.errors)}`);
    };
    visit(document, '', (node, pointer) => {
      const { schema, example } = node;
      const values = [...valuesOf(node.examples), ...(example === undefined ? [] : [example])];
      if (values.length > 0) check(schema ? `${pointer}/schema` : pointer, values);
    });
    assert.deepEqual(problems, []);
  });

  it('describes no object that may have more fields than it lists', () => {
    const open: string[] = [];
    visit(document, '', (node, pointer) => {
      if (node.additionalProperties === true) open.push(pointer);
    });
    assert.deepEqual(open, []);
  });
});

interface Node {
  schema?: object;
  example?: unknown;
  examples?: unknown[] | Record<string, { value: unknown }>;
  additionalProperties?: unknown;
}

function valuesOf(examples: Node['examples'] = []): unknown[] {
  return Array.isArray(examples) ? examples : Object.values(examples).map(({ value }) => value);
}

/**
 * Every object of the document except those in examples, with the JSON pointer to it. The keys of `properties` are names
 * of fields: one of them may be `example`.
 */
function visit(node: object, pointer: string, look: (node: Node, pointer: string) => void, hasNames = false): void {
  if (!hasNames) look(node, pointer);
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null) continue;
    if (!hasNames && (key === 'example' || key === 'examples')) continue;
    const at = `${pointer}/${encodeURIComponent(key.replaceAll('~', '~0').replaceAll('/', '~1'))}`;
    visit(value, at, look, !hasNames && key === 'properties');
  }
}
