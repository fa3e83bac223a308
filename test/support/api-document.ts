import type { Platform } from './platform';

/** A schema of the document, as far as tests read it. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  additionalProperties?: boolean | Schema;
  example?: unknown;
  examples?: unknown[];
  maxLength?: number;
  description?: string;
}

export interface Parameter {
  in: 'path' | 'query' | 'header';
  name: string;
  required?: boolean;
  description?: string;
  example?: unknown;
  schema: Schema;
}

interface Content {
  description?: string;
  content?: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
}

interface Response extends Content {
  headers?: Record<string, { $ref?: string }>;
}

export interface Operation {
  method: 'get' | 'post' | 'put' | 'delete';
  path: string;
  operationId: string;
  summary?: string;
  description?: string;
  tags?: string[];
  security?: object[];
  deprecated?: boolean;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Response>;
}

/** The API as its document at `/openapi.json` describes it. */
export interface ApiDocument {
  json: {
    tags?: { name: string; description?: string }[];
    components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
  };
  operations: Operation[];
}

export async function readDocument({ anonymous }: Platform): Promise<ApiDocument> {
  const { body: json } = await anonymous.get('/openapi.json');
  const operations = Object.entries<Record<string, object>>(json.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => {
      const operation = { ...described, method, path } as Operation; // the document is JSON: its types are what the tests assert
      return { ...operation, responses: resolveResponses(operation.responses, json.components.responses) };
    }),
  );
  return { json, operations };
}

function resolveResponses(responses: Operation['responses'], common: Record<string, Response>) {
  const entries = Object.entries(responses).map(([status, response]): [string, Response] => [
    status,
    '$ref' in response ? { ...common[String(response.$ref).replace('#/components/responses/', '')] } : response,
  ]);
  return Object.fromEntries(entries);
}

export function bodySchema(operation: Operation): Schema | undefined {
  return operation.requestBody?.content?.['application/json']?.schema;
}

export function successOf(operation: Operation): { status: number; schema?: Schema } {
  const status = Object.keys(operation.responses).find((code) => code.startsWith('2')) ?? '0';
  const content = operation.responses[status]?.content ?? {};
  return { status: Number(status), schema: (content['application/json'] ?? Object.values(content)[0])?.schema };
}

/** The schema of a reference, or the schema itself. */
export function resolve(schema: Schema, { json }: ApiDocument): Schema {
  const name = schema.$ref?.replace('#/components/schemas/', '');
  if (name === undefined) return schema;
  const target = json.components.schemas[decodeURIComponent(name)];
  if (!target) throw new Error(`the document has no schema ${name}`);
  return target;
}

/** A value composed of the examples of a schema, and the first of an enum. Throws where one is missing, with its path. */
export function composeExample(schema: Schema, document: ApiDocument, path = ''): unknown {
  if (schema.example !== undefined) return structuredClone(schema.example);
  const { properties, items, allOf, anyOf, oneOf, example, enum: values } = resolve(schema, document);
  if (example !== undefined) return structuredClone(example);
  if (values) return values[0];
  if (properties) {
    const entries = Object.entries(properties).map(([key, value]) => [
      key,
      composeExample(value, document, path ? `${path}.${key}` : key),
    ]);
    return Object.fromEntries(entries);
  }
  if (items) return [composeExample(items, document, `${path}[]`)];
  if (allOf) return Object.assign({}, ...allOf.map((part) => composeExample(part, document, path)));
  const [first] = anyOf ?? oneOf ?? [];
  if (first) return composeExample(first, document, path);
  if (resolve(schema, document).type === 'object') return {};
  throw new Error(`${path || 'the body'} has no example`);
}
