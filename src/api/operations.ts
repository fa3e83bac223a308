import type { Controller, TsoaRoute } from '@tsoa/runtime';
import type { Requirement } from '../access/credential.policy';
import { routes } from '../generated/routes';
import type { SecurityRequirement } from './openapi/document';
import { readRequirement } from './openapi/security';
import { agentBody, type BodyTraits, OPERATION_TRAITS, SETS_UP_FACTOR } from './operation-traits';
import { protocolRouteOf } from './protocol-routes';
import type { Kind } from './request-admission';
import type { Table } from './tables';

export type { BodyTraits };

interface WrittenRoute {
  method: string;
  path: string;
  controller: new (...args: never[]) => Controller;
  action: string;
  security: readonly SecurityRequirement[];
  args: Record<string, TsoaRoute.ParameterSchema>;
}

export interface Operation extends WrittenRoute {
  requires: Requirement | 'nothing';
  /** The path as in the document: `/sensors/{id}`. */
  documentPath: string;
  variables: readonly string[];
  isChange: boolean;
  /** How requests are admitted. */
  kind: Kind;
  /** May hold much memory: a request that has ended several processes is refused. */
  isHeavy: boolean;
  /** Restricts itself to the sensors of a key. */
  keepsToSensors: boolean;
  setsUpFactor: boolean;
  body: BodyTraits | undefined;
  readsPoints: boolean;
  table: Table | undefined;
  lines?: string;
  isStream: boolean;
}

/** `params` as sent. */
export interface MatchedOperation {
  operation: Operation;
  params: Record<string, string>;
}

const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const; // tsoa only writes these four

/** What may follow, and the operations of the path that ends here, by method. */
interface Segment {
  fixed: Map<string, Segment>;
  variable?: Segment;
  operations: Map<string, Operation>;
}

/**
 * Finds operations by method and path, in any letter case. Fixed segments come before variables: `/sensors/metatags` is
 * no sensor. HEAD is a GET without a body.
 */
export class Operations {
  readonly all: readonly Operation[] = (routes as WrittenRoute[]).map(withRequirement);
  private readonly root = newSegment();

  constructor() {
    for (const operation of this.all) {
      let at = this.root;
      for (const name of segmentsOf(operation.path)) at = name.startsWith(':') ? variableOf(at) : fixedOf(at, name);
      at.operations.set(operation.method.toUpperCase(), operation);
    }
  }

  find(method: string, path: string): MatchedOperation | undefined {
    const values: string[] = [];
    const written = /^\/in\//i.test(path) ? (protocolRouteOf(path)?.operation ?? path) : path;
    const operation = find(this.root, written.split('/'), 1, method === 'HEAD' ? 'GET' : method, values);
    return operation && { operation, params: namedParams(operation, values) };
  }

  /** How a body for this path is read: its method may still change. */
  bodyTraits({ operation }: Partial<MatchedOperation>, path: string): BodyTraits {
    if (operation?.body) return operation.body;
    return METHODS.map((method) => this.find(method, path)?.operation.body).find((body) => body) ?? {};
  }

  /** The first operation of a path, and its methods; undefined without one. */
  describePath(path: string): (MatchedOperation & { methods: string[] }) | undefined {
    const found = METHODS.flatMap((method) => this.find(method, path) ?? []);
    const [first] = found;
    return first && { ...first, methods: found.map(({ operation }) => operation.method.toUpperCase()) };
  }
}

/** Throws URIError for an invalid escape. */
export function decodeParams(params: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {};
  for (const name in params) decoded[name] = decodeURIComponent(params[name] ?? '');
  return decoded;
}

/** Searches from `index` on, fixed segments first. Adds the values of variables. */
function find(
  from: Segment,
  path: readonly string[],
  index: number,
  method: string,
  values: string[],
): Operation | undefined {
  const name = path[index];
  if (name === undefined) return from.operations.get(method);
  const fixed = from.fixed.get(name.toLowerCase());
  const found = fixed && find(fixed, path, index + 1, method, values);
  if (found || !from.variable || name === '') return found;
  values.push(name);
  const other = find(from.variable, path, index + 1, method, values);
  if (!other) values.pop();
  return other;
}

function namedParams({ variables }: Operation, values: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  variables.forEach((name, index) => {
    params[name] = values[index] ?? '';
  });
  return params;
}

function segmentsOf(path: string): string[] {
  return path.split('/').slice(1);
}

function newSegment(): Segment {
  return { fixed: new Map(), operations: new Map() };
}

function fixedOf({ fixed }: Segment, name: string): Segment {
  const key = name.toLowerCase();
  const known = fixed.get(key) ?? newSegment();
  fixed.set(key, known);
  return known;
}

function variableOf(segment: Segment): Segment {
  segment.variable ??= newSegment();
  return segment.variable;
}

function withRequirement(route: WrittenRoute): Operation {
  const documentPath = route.path.replace(/:(\w+)/g, '{$1}');
  const requires = readRequirement(route.security, `${route.method} ${documentPath}`);
  const variables = segmentsOf(route.path).flatMap((name) => (name.startsWith(':') ? [name.slice(1)] : []));
  const protocol = protocolRouteOf(documentPath);
  const isRead = route.method === 'get';
  return {
    ...{ ...route, documentPath, requires, variables },
    ...{
      isHeavy: false,
      keepsToSensors: false,
      setsUpFactor: SETS_UP_FACTOR.has(route.action),
      readsPoints: false,
      isStream: false,
      table: undefined,
      body: agentBody(protocol),
    },
    isChange: !isRead || !['nothing', 'session', 'read'].includes(requires),
    kind: protocol?.isUpload ? 'agent-upload' : isRead ? 'read' : 'change',
    ...OPERATION_TRAITS[route.action],
  };
}
