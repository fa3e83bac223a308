import type { Api, ApiResponse } from './api-client';
import { type ApiDocument, bodySchema, composeExample, type Operation, resolve } from './api-document';
import { type Estate, type Kind, kindInPath, withIds } from './estate';

/** A request of an operation, composed of the examples in the document. */
export interface ComposedRequest {
  method: Operation['method'];
  path: string;
  query: Record<string, unknown>;
  body?: unknown;
}

/** The id for a place in a request: `path:trigger_id`, `query:sensor_id`, `body:user.id`. */
export type IdAt = (kind: Kind, at: string) => string;

/** The request of an operation's examples, with every id replaced by `idAt`. */
export function composeRequest(operation: Operation, document: ApiDocument, idAt: IdAt): ComposedRequest {
  const parameters = operation.parameters ?? [];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (name !== 'id' && !name.endsWith('_id')) return String(exampleOf(operation, name, document));
    return idAt(kindInPath(operation.path, name), `path:${name}`);
  });
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const query = Object.fromEntries(inQuery.map(({ name }) => [name, exampleOf(operation, name, document)]));
  const schema = bodySchema(operation);
  return {
    method: operation.method,
    path,
    query: { ...Object(withIds(query, (kind, at) => idAt(kind, `query:${at}`))) },
    body: schema && withIds(withoutFilter(composeExample(schema, document)), (kind, at) => idAt(kind, `body:${at}`)),
  };
}

/** A request of many things names them by their ids or by a filter, not by both. */
function withoutFilter(body: unknown): unknown {
  const { filter, ...named } = Object(body);
  return filter !== undefined && ('sensors' in named || 'firings' in named) ? named : body;
}

/** Every id of the request belongs to this estate. */
export function idsOf({ ids }: Estate): IdAt {
  return (kind) => ids[kind];
}

export function send(api: Api, { method, path, query, body }: ComposedRequest): Promise<ApiResponse> {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      search.append(Array.isArray(value) ? `${name}[]` : name, String(one));
    }
  }
  const target = search.size > 0 ? `${path}?${search}` : path;
  return method === 'get' ? api.get(target) : api[method](target, body);
}

function exampleOf({ parameters, path }: Operation, name: string, document: ApiDocument): unknown {
  const parameter = parameters?.find((one) => one.name === name);
  const schema = parameter && resolve(parameter.schema, document);
  const example = parameter?.example ?? schema?.examples?.[0] ?? schema?.enum?.[0];
  if (example === undefined) throw new Error(`the parameter ${name} of ${path} has no example`);
  return example;
}
