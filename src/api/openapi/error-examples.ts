import type { Example, OpenApiDocument, Operation, Schema } from './document';
import { bodyOf, resolve } from './document';
import { firstKindIn } from './parameters';

export const COMMON_ERRORS = {
  unparsable_json: error('the body is not valid JSON at position 17: a value is expected', 'unparsable_json'),
  too_large: error('the body is larger than 10 MB', 'too_large'),
  unreadable_type: error('send JSON or application/x-www-form-urlencoded', 'unreadable_type'),
  rate_limited: error('too many requests; try again later', 'rate_limited'),
  internal_error: error('something went wrong on our side', 'internal_error', {
    request_id: '18a95727-a523-4f29-bb76-c15f3d0e6fc2',
  }),
  unavailable: error('the service is not available at the moment', 'unavailable'),
} satisfies Record<string, Example>;

/** Reasons by the beginning of the path. */
const FORBIDDEN: readonly (readonly [prefix: string, why: string])[] = [
  ['/groups', 'only members of the group may do this'],
  ['/users', 'this is not your account'],
  ['/sensors', 'only the owner of the sensor may do this'],
];

/** Makes an example for an operation whose controller gives none. */
export function exampleOf(
  status: string,
  path: string,
  operation: Operation,
  document: OpenApiDocument,
): Record<string, Example> {
  switch (status) {
    case '400':
      return invalidInput(operation, document);
    case '403': {
      const [, why = 'you may not do this'] = FORBIDDEN.find(([prefix]) => path.startsWith(prefix)) ?? [];
      return { forbidden: error(why, 'forbidden') };
    }
    case '404':
      return { not_found: error(`the ${thingIn(path)} does not exist`, 'not_found') };
    case '429':
      return { rate_limited: COMMON_ERRORS.rate_limited };
    case '503':
      return { unavailable: COMMON_ERRORS.unavailable };
    default:
      return {};
  }
}

function thingIn(path: string): string {
  return path.startsWith('/users/blocked') ? 'blocked user' : (firstKindIn(path) ?? 'sensor');
}

export function error(message: string, code: string, more: object = {}): Example {
  return { value: { error: message, code, ...more } };
}

/** A missing or wrong field, and a body that is not JSON. */
function invalidInput(operation: Operation, document: OpenApiDocument): Record<string, Example> {
  const body = bodyOf(operation);
  const inBody = body && (requiredField(body, document) ?? wrongField(body, document));
  const [first] = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const [path, why] = inBody ?? (first ? [first.name, mistakeIn(first.schema, document) ?? 'is required'] : []);
  const examples: Record<string, Example> = {};
  if (path !== undefined) examples.invalid_input = error(`${path} ${why}`, 'invalid_input', fields(path, why));
  if (body) examples.unparsable_json = COMMON_ERRORS.unparsable_json;
  return examples;
}

function fields(path: string, why = ''): object {
  return { fields: { [path]: why } };
}

type Mistake = [path: string, why: string];

/** The innermost one. */
function requiredField(schema: Schema, document: OpenApiDocument, path = ''): Mistake | undefined {
  const { oneOf, properties = {}, required = [], items } = resolve(schema, document);
  const [form] = oneOf ?? [];
  if (form) return requiredField(form, document, path);
  if (items) return requiredField(items, document, `${path}[0]`);
  for (const name of required) {
    const at = path ? `${path}.${name}` : name;
    const inner = properties[name] && requiredField(properties[name], document, at);
    if (inner) return inner;
    const { properties: own, items: list } = resolve(properties[name] ?? {}, document);
    if (!own && !list) return [at, 'is required'];
  }
  return undefined;
}

function wrongField(schema: Schema, document: OpenApiDocument, path = ''): Mistake | undefined {
  const { oneOf, properties = {}, items } = resolve(schema, document);
  const [form] = oneOf ?? [];
  if (form) return wrongField(form, document, path);
  if (items) return wrongField(items, document, `${path}[0]`);
  for (const [name, property] of Object.entries(properties)) {
    const at = path ? `${path}.${name}` : name;
    const why = mistakeIn(property, document);
    const mistake: Mistake | undefined = why === undefined ? wrongField(property, document, at) : [at, why];
    if (mistake) return mistake;
  }
  return undefined;
}

function mistakeIn(schema: Schema, document: OpenApiDocument): string | undefined {
  const { type, enum: values, maxLength } = resolve(schema, document);
  if (values) return `must be one of ${values.join(', ')}`;
  if (type === 'boolean') return 'must be true or false';
  if (type === 'integer') return 'must be a whole number';
  if (type === 'number') return 'must be a number';
  return type === 'string' && maxLength !== undefined ? `must be at most ${maxLength} characters` : undefined;
}
