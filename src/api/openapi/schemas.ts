import type { OpenApiDocument, Schema } from './document';
import { bodyOf, nameIn, operationsOf } from './document';

/** Inner schemas first. */
export function mapSchemas(document: OpenApiDocument, change: (schema: Schema) => Schema): void {
  const { schemas } = document.components;
  for (const [name, schema] of Object.entries(schemas)) schemas[name] = mapSchema(schema, change);
  for (const { operation } of operationsOf(document)) {
    for (const parameter of operation.parameters ?? []) parameter.schema = mapSchema(parameter.schema, change);
    const bodies = [operation.requestBody, ...Object.values(operation.responses)];
    for (const body of bodies) {
      if (!body || '$ref' in body) continue;
      for (const media of Object.values(body.content ?? {})) media.schema = mapSchema(media.schema, change);
    }
  }
}

function mapSchema(schema: Schema, change: (schema: Schema) => Schema): Schema {
  const inner = (one: Schema) => mapSchema(one, change);
  const { properties, items, allOf, anyOf, oneOf, additionalProperties } = schema;
  return change({
    ...schema,
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, inner(one)])),
    }),
    ...(items && { items: inner(items) }),
    ...(allOf && { allOf: allOf.map(inner) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
    ...(typeof additionalProperties === 'object' && { additionalProperties: inner(additionalProperties) }),
  });
}

/**
 * OpenAPI 3.0 to 3.1: `null` is a type, and references may have descriptions. Removes tsoa's mark of open records, so
 * that tools find misspelled names.
 */
export function toSchema31({ nullable, ...rest }: Schema): Schema {
  const { additionalProperties, ...named } = rest;
  const schema: Schema = additionalProperties === true ? named : rest;
  const [only, ...others] = schema.allOf ?? [];
  const single = only?.$ref !== undefined && others.length === 0 ? withoutAllOf(schema, only.$ref) : schema;
  const whole = withWholeNumbers(single);
  return nullable ? orNull(whole) : whole;
}

function withoutAllOf({ allOf: _, ...rest }: Schema, $ref: string): Schema {
  return { $ref, ...rest };
}

function withWholeNumbers(schema: Schema): Schema {
  if (schema.type !== 'number' || !schema.enum?.every(Number.isInteger)) return schema;
  return { ...schema, type: 'integer', format: 'int32' };
}

function orNull({ $ref, type, enum: values, ...rest }: Schema): Schema {
  if ($ref !== undefined) return { anyOf: [{ $ref }, { type: 'null' }], ...rest };
  if (rest.anyOf) return { ...rest, anyOf: [...rest.anyOf, { type: 'null' }] };
  const given = values?.filter((value) => value !== null);
  if (given?.length === 0 || type === undefined) return { type: 'null', ...rest };
  return { type: [type, 'null'].flat(), ...(given && { enum: [...given, null] }), ...rest };
}

/** An unknown field of a request is a mistake, although the server ignores it. Responses stay open for new fields. */
export function closeRequests(document: OpenApiDocument): void {
  const bodies = operationsOf(document).flatMap(({ operation }) => bodyOf(operation) ?? []);
  for (const name of namesReachedFrom(bodies, document)) {
    const schema = document.components.schemas[name];
    if (schema) document.components.schemas[name] = mapSchema(schema, (one) => closed(asForms(one)));
  }
}

function closed(schema: Schema): Schema {
  return schema.properties && schema.additionalProperties === undefined
    ? { ...schema, additionalProperties: false }
    : schema;
}

/** Only one form of a body fits. */
function asForms({ anyOf, ...rest }: Schema): Schema {
  if (anyOf === undefined) return rest;
  return anyOf.every(({ $ref }) => $ref !== undefined) ? { oneOf: anyOf, ...rest } : { anyOf, ...rest };
}

/** Schemas of queries, whose fields are parameters, are unused. */
export function pruneSchemas(document: OpenApiDocument): void {
  const { schemas } = document.components;
  const used = namesReachedFrom([document.paths, document.webhooks, { ...document.components, schemas: {} }], document);
  for (const name of Object.keys(schemas)) if (!used.has(name)) delete schemas[name];
}

export function namesReachedFrom(roots: unknown[], { components }: OpenApiDocument): Set<string> {
  const names = new Set<string>();
  const visit = (node: unknown) => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      if (key === '$ref' && typeof value === 'string' && value.startsWith('#/components/schemas/')) {
        const name = nameIn(value);
        if (names.has(name)) continue;
        names.add(name);
        visit(components.schemas[name]);
      } else visit(value);
    }
  };
  for (const root of roots) visit(root);
  return names;
}
