import type { Api, ApiResponse } from './api-client';
import type { ApiDocument, Operation } from './api-document';
import { composeRequest, idsOf, send } from './composed-request';
import type { Estate } from './estate';

/** What became of a request, as far as its credential decides: it got through, or why it did not. */
export type Access = 'yes' | 'scope' | 'session' | 'sensors' | 'hidden' | 'invalid';

/** What an operation requires, by the document. */
export type Requirement = 'nothing' | 'session' | 'read' | 'data:write' | 'rules:propose' | 'write';

export function requirementOf({ security = [] }: Operation): Requirement {
  if (security.length === 0) return 'nothing';
  const [scope] = security.flatMap((ways) => Object.values<string[]>({ ...ways }).flat());
  return (scope ?? 'session') as Requirement; // the document has no other scopes
}

export function accessOf({ status, body }: ApiResponse): Access {
  const { code, error } = Object(body);
  if (status === 401 && code === 'invalid_token') return 'invalid';
  if (code === 'insufficient_scope') return 'scope';
  if (code === 'session_required') return 'session';
  if (status === 403 && error === 'this key is limited to sensors and does not reach this') return 'sensors';
  return status === 404 && error === 'the sensor does not exist' ? 'hidden' : 'yes';
}

/** Operations in an order in which none takes away what a later one needs: reads first, deletions last and from the inside. */
export function inHarmlessOrder(operations: readonly Operation[]): Operation[] {
  const rank = ({ method, path, operationId }: Operation) => {
    if (method !== 'delete') return method === 'get' ? 0 : 1;
    // Leaving the group takes the right to do anything in it.
    return 1000 - path.split('/').length + (operationId === 'removeGroupUser' ? 100 : 0);
  };
  return [...operations].sort((a, b) => rank(a) - rank(b));
}

/** The responses to the examples of operations, with the ids of an estate, by the names of the operations. */
export async function callAll(
  api: Api,
  operations: readonly Operation[],
  document: ApiDocument,
  estate: Estate,
): Promise<Map<string, ApiResponse>> {
  const responses = new Map<string, ApiResponse>();
  for (const operation of operations) {
    responses.set(operation.operationId, await send(api, composeRequest(operation, document, idsOf(estate))));
  }
  return responses;
}

/** A table for people: a line for each operation, a column for each credential. */
export function formatTable(
  operations: readonly Operation[],
  columns: ReadonlyMap<string, ReadonlyMap<string, Access>>,
): string {
  const name = ({ method, path }: Operation) => `${method.toUpperCase().padEnd(6)} ${path}`;
  const width = Math.max(...operations.map((operation) => name(operation).length));
  const line = (first: string, second: string, cells: string[]) =>
    `    ${first.padEnd(width)}  ${second.padEnd(10)}  ${cells.map((cell) => cell.padEnd(15)).join(' ')}`.trimEnd();
  const rows = operations.map((operation) => {
    const cells = [...columns.values()].map((column) => column.get(operation.operationId) ?? '-');
    return line(name(operation), requirementOf(operation), cells);
  });
  return [line('operation', 'requires', [...columns.keys()]), ...rows].join('\n');
}
