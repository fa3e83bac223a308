import { isRecord } from '../../platform/is-record';
import {
  bodyOf,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  resolve,
  type Schema,
} from '../openapi/document';

/** An operation with its place. */
export interface PlacedOperation {
  path: string;
  method: string;
  operation: Operation;
}

export interface ExampleRequest {
  method: string;
  path: string;
  query: Readonly<Record<string, unknown>>;
  /** Sent as JSON. */
  body?: unknown;
  /** A body that is not JSON. */
  text?: string;
  /** The name of a file that is the body. */
  file?: string;
  /** In addition to the credential. */
  headers?: readonly (readonly [name: string, value: string])[];
  /** What authenticates the request. */
  credential: 'session' | 'key' | undefined;
  isStream: boolean;
  /** True if the response may be something else than JSON. */
  answersText?: boolean;
}

const DATE = '2026-11-21T10:00:00Z';
/** What an import takes. */
const FILE = { file: 'export-7.zip', headers: [['Content-Type', 'application/zip']] } as const;

const RULES = {
  set: 'cold-store',
  triggers: [{ name: 'too warm', expression: 'sensor_data_value > -15', hold: 300, repeat: 0 }],
  tests: [
    {
      name: 'an open door is reported after five minutes',
      trigger: 'too warm',
      points: [{ at: '21:00', value: -10 }],
      expect: [{ at: '21:05', fires: true }],
    },
  ],
};

/** Shorter than all fields together, and what most readers want first. */
const CHOSEN: Readonly<Record<string, { query?: Record<string, unknown>; body?: unknown }>> = {
  uploadData: { body: { data: [{ date: DATE, value: 21.5 }, { value: 22 }] } },
  uploadSensorsData: { body: { sensors: [{ sensor_id: '42', data: [{ date: DATE, value: 21.5 }] }] } },
  readData: { query: { start_date: DATE, per_page: 1000 } },
  readSensorsData: { query: { sensor_id: ['42'], start_date: DATE } },
  deleteDataRange: { query: { start_date: DATE, end_date: '2026-11-21T11:00:00Z' } },
  createSensor: { body: { sensor: { name: 'greenhouse', data_type: 'float', unit: '°C' } } },
  updateSensor: { body: { sensor: { display_name: 'Greenhouse, north' } } },
  createTrigger: { body: { trigger: { name: 'too warm', expression: 'sensor_data_value > 30', repeat: 3600 } } },
  updateTrigger: { body: { trigger: { expression: 'sensor_data_value > 28' } } },
  createNotification: {
    body: {
      notification: { type: 'email', destination: 'ada@example.org', text: '{{sensor_name}}: {{sensor_data_value}}' },
    },
  },
  updateNotification: { body: { notification: { text: '{{sensor_name}} is too warm: {{sensor_data_value}}' } } },
  testRules: { body: RULES },
  planRules: { query: { days: 7 }, body: RULES },
  applyRules: { body: RULES },
  createUser: {
    body: { user: { username: 'ada', email: 'ada@example.org', password: '5ebe2294ecd0e0f08eab7690d2a6ee69' } },
  },
  createKey: { body: { key: { name: 'greenhouse', scopes: ['data:write'] } } },
  findSensors: {
    body: {
      filter: {
        namespace: 'building',
        metatag_statement_groups: [[{ metatag_name: 'room', operator: 'equal', value: 'kitchen' }]],
      },
    },
  },
  listSensors: { query: { per_page: 100, total: 1 } },
};

/** Takes a request that was chosen for the operation, or composes the examples of its fields. */
export function exampleRequest(
  { path, method, operation }: PlacedOperation,
  document: OpenApiDocument,
): ExampleRequest {
  const { parameters = [], operationId } = operation;
  const chosen = CHOSEN[operationId] ?? {};
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required);
  const schema = bodyOf(operation);
  const body = chosen.body ?? (schema && withoutFilter(composeExample(schema, document)));
  return {
    method: method.toUpperCase(),
    path: path.replace(/\{(\w+)\}/g, (_, name: string) => String(exampleOf(parameters, name, document))),
    query:
      chosen.query ?? Object.fromEntries(required.map(({ name }) => [name, exampleOf(parameters, name, document)])),
    ...(body === undefined ? {} : { body }),
    ...(operation.requestBody?.content?.['application/zip'] && FILE),
    credential: credentialOf(operation),
    isStream: Boolean(successContent(operation)?.['text/event-stream']),
  };
}

/** Composed of examples, and the first value of an enum. */
export function composeExample(schema: Schema, document: OpenApiDocument, depth = 0): unknown {
  const resolved = resolve(schema, document);
  // An example may be null.
  const given = [schema.example, resolved.example, schema.examples?.[0], resolved.examples?.[0], resolved.enum?.[0]];
  const example = given.find((one) => one !== undefined);
  if (example !== undefined) return example;
  const { properties, items, allOf, anyOf, oneOf } = resolved;
  if (properties && depth < MAX_DEPTH) {
    const compose = ([name, value]: [string, Schema]) => [name, composeExample(value, document, depth + 1)];
    return Object.fromEntries(Object.entries(properties).map(compose));
  }
  if (items) return [composeExample(items, document, depth + 1)];
  if (allOf) return Object.assign({}, ...allOf.map((part) => composeExample(part, document, depth)));
  const [first] = anyOf ?? oneOf ?? [];
  return first ? composeExample(first, document, depth) : {};
}

const MAX_DEPTH = 8;

export function successContent({ responses }: Operation) {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  return success && 'content' in success ? success.content : undefined;
}

function credentialOf({ security }: Operation): ExampleRequest['credential'] {
  if (security.length === 0) return undefined;
  return security.some((one) => 'key' in one) ? 'key' : 'session';
}

function exampleOf(parameters: readonly Parameter[], name: string, document: OpenApiDocument): unknown {
  const parameter = parameters.find((one) => one.name === name);
  return parameter?.example ?? (parameter && composeExample(parameter.schema, document)) ?? name;
}

/** A request of many things names ids or a filter, not both. */
function withoutFilter(body: unknown): unknown {
  if (!isRecord(body) || !('filter' in body) || !('sensors' in body || 'firings' in body)) return body;
  const { filter: _, ...named } = body;
  return named;
}
