import type { Request, Response } from 'express';
import { readId } from '../edge/id';
import { partsOfText } from '../platform/text-parts';
import {
  type DataPointsQuery,
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
/** Formats by the type in `Accept`. The first match counts. */
const ACCEPTED: ReadonlyMap<string, ExportFormat | undefined> = new Map([
  ['application/json', undefined],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
]);

export interface WantedExport {
  format: ExportFormat;
  controller: DataPointsController;
  /** Arguments of the operation that reads the data in JSON. */
  args: readonly unknown[];
}

/** The suffix of the path or `Accept` decides. Undefined for JSON. */
export function wantedExport(
  request: Request,
  response: Response,
  controller: DataPointsController,
  args: readonly unknown[],
): WantedExport | undefined {
  const format = formatOf(response.locals.road.format, request.get('accept') ?? '');
  return format && { format, controller, args };
}

/** Sends as fast as the client reads, and as long as the reader may see the data. */
export async function sendExport(wanted: WantedExport, reader: ExportReader, response: Response): Promise<void> {
  const { format, controller, args } = wanted;
  const { ids, query } = readArguments(args);
  const lines = await controller.exportData(ids, query, format, reader);
  // Errors about the request come before the first line.
  const first = await lines.next();
  response
    .status(200)
    .set({ 'Content-Type': TYPES[format], 'Content-Disposition': `attachment; filename="${nameOf(ids)}.${format}"` });
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

function formatOf(suffix: ExportFormat | undefined, accept: string): ExportFormat | undefined {
  if (suffix) return suffix;
  const names = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase() ?? '');
  return ACCEPTED.get(names.find((name) => ACCEPTED.has(name)) ?? '');
}

function nameOf(ids: readonly number[]): string {
  return ids.length === 1 ? `sensor-${ids[0]}` : 'sensors';
}
