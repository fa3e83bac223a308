import type { MediaType, OpenApiDocument, Operation, Schema } from './document';
import { operationsOf, resolve } from './document';

/** Every body may also come as a form: `sensor[name]=x` for `{"sensor":{"name":"x"}}`. */
export function addForms(document: OpenApiDocument): void {
  for (const { operation } of operationsOf(document)) addForm(operation, document);
}

function addForm({ requestBody }: Operation, document: OpenApiDocument): void {
  const json = requestBody?.content['application/json'];
  if (!requestBody || !json) return;
  requestBody.content['application/x-www-form-urlencoded'] = {
    schema: json.schema,
    ...encodingOf(json.schema, document),
  };
}

/** OpenAPI knows brackets for the fields of a record. The description of the document explains how to write a list. */
function encodingOf(schema: Schema, document: OpenApiDocument): Pick<MediaType, 'encoding'> {
  const records = Object.entries(resolve(schema, document).properties ?? {}).filter(
    ([, property]) => resolve(property, document).properties !== undefined,
  );
  if (records.length === 0) return {};
  return { encoding: Object.fromEntries(records.map(([name]) => [name, { style: 'deepObject', explode: true }])) };
}
