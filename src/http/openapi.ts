/** The parts of an OpenAPI 3.0 document that are completed here. */
export interface OpenApiDocument {
  paths: Record<string, object>;
  components: { schemas: Record<string, object> };
}

interface Parameter {
  in: string;
  name: string;
  description?: string;
  example?: unknown;
}

interface Operation {
  requestBody?: object;
  parameters?: Parameter[];
  responses: Record<string, object>;
}

/** An id of each kind, the same as in the examples of bodies and answers. */
const EXAMPLE_IDS: Record<string, string> = { sensor: '42', trigger: '5', notification: '7', user: '1', group: '9' };

const OTHER_ERRORS = {
  description:
    'Any other error: 413 a body over 10 MB, 415 an encoding that cannot be read, 429 too many requests, 500 our own fault, 503 MySQL or Redis is away, or too many large bodies are being sent at once (429 and 503 with `Retry-After`)',
  content: { 'application/json': { schema: { $ref: '#/components/schemas/ErrorBody' } } },
};

/**
 * Adds what holds for every operation and so is in no controller: what the ids in paths mean, the errors that any
 * request can meet, and texts and examples of fields that OpenAPI 3.0 would ignore beside a `$ref`.
 */
export function completeDocument<T extends OpenApiDocument>(generated: T): T {
  const document = structuredClone(generated);
  for (const [path, operations] of Object.entries(document.paths)) {
    for (const operation of Object.values<Operation>({ ...operations })) {
      const { responses, requestBody, parameters = [] } = operation;
      responses.default = OTHER_ERRORS;
      // Said of a whole controller; without input there is none to be wrong, and an id that is none is not found.
      if (!requestBody && parameters.every((parameter) => parameter.in === 'path')) delete responses['400'];
      for (const parameter of parameters) describePathParameter(path, parameter);
    }
  }
  resolveDecoratedReferences(document.components.schemas, document.components.schemas);
  return document;
}

function describePathParameter(path: string, parameter: Parameter): void {
  if (parameter.in !== 'path') return;
  const kind = kindOf(path, parameter.name);
  if (kind === undefined) return;
  parameter.description ??= `The id of the ${kind}.`;
  parameter.example ??= EXAMPLE_IDS[kind] ?? '3';
}

/** `{trigger_id}` is of a trigger; `{id}` is of what the segments before it hold. */
function kindOf(path: string, name: string): string | undefined {
  const named = /^(\w+)_id$/.exec(name)?.[1];
  if (named) return named === 'sub' ? 'sub environment' : named.replaceAll('_', ' ');
  if (name !== 'id') return undefined;
  const before = path.split('/{id}')[0]?.split('/').filter(Boolean) ?? [];
  return before.map((segment) => segment.replace(/ies$/, 'y').replace(/s$/, '')).join(' ');
}

/** What OpenAPI 3.0 ignores beside a `$ref` becomes a schema of its own. */
function resolveDecoratedReferences(node: object, schemas: Record<string, object>): void {
  for (const [key, value] of Object.entries(node)) {
    if (typeof value !== 'object' || value === null || key === 'example') continue;
    const resolved = decorated(value, schemas) ?? nullable(value, schemas);
    if (resolved) Reflect.set(node, key, resolved);
    else resolveDecoratedReferences(value, schemas);
  }
}

/** `{ $ref, description, example }` with all three. */
function decorated({ $ref, ...decoration }: { $ref?: unknown }, schemas: Record<string, object>): object | undefined {
  if (typeof $ref !== 'string' || Object.keys(decoration).length === 0) return undefined;
  const target = targetOf($ref, schemas);
  return 'properties' in target ? { allOf: [{ $ref }], ...decoration } : { ...target, ...decoration };
}

/** A reference that may be `null` as a copy of what it refers to: `nullable` beside `allOf` would allow nothing. */
function nullable({ allOf, ...rest }: { allOf?: unknown }, schemas: Record<string, object>): object | undefined {
  if (!('nullable' in rest) || !Array.isArray(allOf) || typeof allOf[0]?.$ref !== 'string') return undefined;
  return { ...targetOf(allOf[0].$ref, schemas), ...rest };
}

function targetOf(reference: string, schemas: Record<string, object>): object {
  return Object(schemas[reference.slice('#/components/schemas/'.length)]);
}
