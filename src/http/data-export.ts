import type { Controller } from '@tsoa/runtime';
import type { Request, Response } from 'express';
import type { Caller } from '../caller';
import { DataPointsController } from '../controllers/data-points.controller';
import { type DataPointsQuery, readSensorIds, type SensorsDataQuery } from '../requests/data-reads.request';
import { readId } from '../requests/id';
import type { ExportFormat } from '../views/data-export.view';

const TYPES: Record<ExportFormat, string> = {
  csv: 'text/csv; charset=utf-8; header=present',
  ndjson: 'application/x-ndjson; charset=utf-8',
};
/** What `Accept` asks for; the first of these counts. */
const ACCEPTED: ReadonlyMap<string, ExportFormat | undefined> = new Map([
  ['application/json', undefined],
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
]);
/** A client that takes nothing of its data for so long does without the rest. */
const STALLED_MS = 30_000;

/** A read of data that is to be answered in lines. */
export interface WantedExport {
  format: ExportFormat;
  controller: DataPointsController;
  /** The arguments of the operation that reads the same data in JSON. */
  args: readonly unknown[];
}

/** The lines that a read of data asks for, by the suffix of its path or by `Accept`; undefined for JSON, and for other operations. */
export function wantedExport(
  request: Request,
  response: Response,
  controller: Controller,
  args: readonly unknown[],
): WantedExport | undefined {
  if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
  if (!(controller instanceof DataPointsController)) return undefined;
  const format = formatOf(response.locals.format, request.get('accept') ?? '');
  return format && { format, controller, args };
}

/** Sends the data a part at a time, as fast as the client takes it. */
export async function sendExport(
  wanted: WantedExport,
  caller: Caller,
  request: Request,
  response: Response,
): Promise<void> {
  const { format, controller, args } = wanted;
  const { ids, query } = readArguments(args);
  const lines = await controller.exportData(ids, query, format, caller);
  const first = await lines.next();
  response
    .status(200)
    .set({ 'Content-Type': TYPES[format], 'Content-Disposition': `attachment; filename="${nameOf(ids)}.${format}"` });
  if (request.method === 'HEAD' || first.done) {
    await lines.return(undefined);
    response.end();
    return;
  }
  try {
    await write(response, first.value);
    for await (const text of lines) await write(response, text);
    response.end();
  } catch (error) {
    // What was sent already looks like an answer: only a connection that breaks shows that it is not whole.
    response.destroy(error instanceof Error ? error : undefined);
  }
}

function readArguments(args: readonly unknown[]): { ids: number[]; query: DataPointsQuery } {
  const [first, second] = args;
  // The operations take the id of a sensor and a query, or a query that names sensors.
  if (typeof first === 'string') return { ids: [readId(first, 'sensor')], query: second as DataPointsQuery };
  const query = first as SensorsDataQuery;
  return { ids: readSensorIds(query.sensor_id), query };
}

function formatOf(suffix: unknown, accept: string): ExportFormat | undefined {
  if (suffix === 'csv' || suffix === 'ndjson') return suffix;
  const names = accept.split(',').map((one) => one.split(';')[0]?.trim().toLowerCase() ?? '');
  return ACCEPTED.get(names.find((name) => ACCEPTED.has(name)) ?? '');
}

function nameOf(ids: readonly number[]): string {
  return ids.length === 1 ? `sensor-${ids[0]}` : 'sensors';
}

/** Resolves when more may be written; rejects when the client is gone, or takes nothing for too long. */
async function write(response: Response, text: string): Promise<void> {
  if (text === '' || response.write(text)) return;
  await new Promise<void>((resolve, reject) => {
    const settle = (end: () => void) => () => {
      clearTimeout(timer);
      response.off('drain', drained).off('close', closed);
      end();
    };
    const drained = settle(resolve);
    const closed = settle(() => reject(new Error('the client has closed the connection')));
    const timer = setTimeout(
      settle(() => reject(new Error('the client takes nothing'))),
      STALLED_MS,
    );
    response.once('drain', drained).once('close', closed);
    if (response.destroyed) closed();
  });
}
