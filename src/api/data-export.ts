import type { Request, Response } from 'express';
import { readId } from '../edge/id';
import { partsOfText } from '../platform/text-parts';
import {
  type DataPointsQuery,
  type ExportedLines,
  type ExportFormat,
  type ExportReader,
  readSensorIds,
  type SensorsDataQuery,
} from '../points';
import type { DataPointsController } from '../points/controllers';
import { sendParts } from './send-text';

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
/** Neither compression nor a proxy waits for more lines. */
const UNBUFFERED = { 'Cache-Control': 'no-store, no-transform', 'X-Accel-Buffering': 'no' };

/** Formats by the type in `Accept`. The first match counts. */
const ACCEPTED: ReadonlyMap<string, ExportFormat | undefined> = new Map([
  ['application/json', undefined],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
]);

/** The suffix of the path or `Accept` decides. Undefined for JSON. */
export function formatAsked(request: Request, response: Response): ExportFormat | undefined {
  const suffix = response.locals.road.format;
  if (suffix) return suffix;
  const accept = request.get('accept') ?? '';
  const names = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase() ?? '');
  return ACCEPTED.get(names.find((name) => ACCEPTED.has(name)) ?? '');
}

/** The stored points that an operation reads; its arguments are those in JSON. */
export function exportPoints(
  controller: DataPointsController,
  args: readonly unknown[],
  format: ExportFormat,
  reader: ExportReader,
): Promise<ExportedLines> {
  const { ids, query } = readArguments(args);
  return controller.exportData(ids, query, format, reader);
}

/** Sends as fast as the client reads. Errors before the first line are thrown. */
export async function sendLines(
  response: Response,
  format: ExportFormat,
  { name, lines, isLive = false }: ExportedLines,
): Promise<void> {
  const first = await lines.next();
  const disposition = { 'Content-Disposition': dispositionOf(`${name}.${format}`) };
  response.status(200).set({ 'Content-Type': TYPES[format], ...(isLive ? UNBUFFERED : disposition) });
  await sendParts(response, partsOf(first, lines)).finally(() => lines.return(undefined));
}

async function* partsOf(first: IteratorResult<Iterable<string>>, lines: AsyncIterable<Iterable<string>>) {
  if (first.done) return;
  yield* partsOfText(first.value);
  for await (const some of lines) yield* partsOfText(some);
}

function readArguments(args: readonly unknown[]): { ids: number[]; query: DataPointsQuery } {
  const [first, second] = args;
  // The operations take the id of a sensor and a query, or a query that names sensors.
  if (typeof first === 'string') return { ids: [readId(first, 'sensor')], query: second as DataPointsQuery };
  const query = first as SensorsDataQuery;
  return { ids: readSensorIds(query.sensor_id), query };
}

/** By RFC 6266: other characters than those of ASCII are encoded, and older clients see `_` in their place. */
function dispositionOf(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\/%]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
