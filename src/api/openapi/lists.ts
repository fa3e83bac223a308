import type { OpenApiDocument, Schema } from './document';
import { bodyOf, nameIn, operationsOf } from './document';

/** Several things (`sensors`) or a single one (`sensor`), as a choice: tsoa declares both as optional. */
export function splitListOrSingle(document: OpenApiDocument): void {
  const { schemas } = document.components;
  for (const { operation } of operationsOf(document)) {
    const reference = bodyOf(operation)?.$ref;
    if (reference === undefined) continue;
    const schema = schemas[nameIn(reference)];
    const split = schema && listOrSingle(schema);
    if (split) schemas[nameIn(reference)] = split;
  }
}

function listOrSingle({ properties, required = [], description }: Schema): Schema | undefined {
  if (!properties || required.length > 0) return undefined;
  const single = Object.keys(properties).find((name) => properties[`${name}s`]?.type === 'array');
  if (single === undefined) return undefined;
  const { [`${single}s`]: list, ...others } = properties;
  if (!list || properties[single]?.type === 'array') return undefined;
  return {
    description,
    oneOf: [record(`several ${single}s`, { [`${single}s`]: list }), record(`a single ${single}`, others, single)],
  };
}

function record(title: string, properties: Record<string, Schema>, ...required: string[]): Schema {
  return {
    title,
    type: 'object',
    properties,
    required: required.length > 0 ? required : Object.keys(properties),
    additionalProperties: false,
  };
}
