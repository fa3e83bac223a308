import Ajv, { type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { ApiDocument, Schema } from './api-document';

/** Returns the violations of its schema in a response: a missing field, one of another type, or an undescribed one. */
export function responseChecker({ json }: ApiDocument): (schema: Schema, body: unknown) => string | undefined {
  const ajv = addFormats(new Ajv({ strict: false, allErrors: true }));
  ajv.addSchema(exact({ $id: 'document', components: json.components }), 'document');
  const compiled = new Map<string, ValidateFunction>();
  return (schema, body) => {
    const text = JSON.stringify(schema).replaceAll('"#/components', '"document#/components');
    const check = compiled.get(text) ?? ajv.compile(exact(JSON.parse(text)));
    compiled.set(text, check);
    return check(body) ? undefined : `${ajv.errorsText(check.errors)} in ${JSON.stringify(body)}`;
  };
}

/** The schema as a JSON Schema that refuses unknown fields. */
function exact(schema: object): object {
  const copy = structuredClone(schema);
  visit(copy);
  return copy;
}

function visit(node: object): void {
  const isRecord = 'properties' in node && 'type' in node && Object.keys(Object(node.properties)).length > 0;
  if (isRecord) Object.assign(node, { additionalProperties: false });
  for (const value of Object.values(node)) if (typeof value === 'object' && value !== null) visit(value);
}
