import { ApiError, StreamEnded } from './errors';
import type { components } from './generated/api';
import { pause, retryAfter } from './retrying-fetch';

/** A point as it was stored. */
export interface LivePoint {
  sensor_id: string;
  id: string;
  date: number;
  value: string;
}

/** A firing as it happened. */
export type LiveFiring = components['schemas']['FiringView'];

/**
 * A message of a stream: new data; `open`, when it begins or resumes; or `reset`, when it could not resume and the data
 * of the gap must be read. `cursor` is the position from which another stream can resume.
 */
export type LiveMessage<Data> =
  | { event: 'data' | 'firing'; cursor: string; data: Data }
  | { event: 'open' | 'reset'; cursor: string };

export interface StreamOptions {
  /** The cursor after which to resume; without one the stream begins now. */
  lastEventId?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
}

/** After this many seconds without any data, even a comment, the connection counts as lost. */
const QUIET_SECONDS = 40;
const PAUSES = { shortest: 0.2, longest: 15 };

/** Reads a stream, and reopens it after its cursor whenever it is interrupted. */
export async function* openStream<Data>(
  open: (headers: Record<string, string>) => Promise<Response>,
  lastEventId = '',
  signal?: AbortSignal,
): AsyncGenerator<LiveMessage<Data>, void> {
  let cursor = lastEventId;
  for (let wait = PAUSES.shortest; !signal?.aborted; wait = Math.min(wait * 2, PAUSES.longest)) {
    let asked: number | undefined;
    try {
      const response = await open({ Accept: 'text/event-stream', ...(cursor && { 'Last-Event-ID': cursor }) });
      asked = retryAfter(response);
      for await (const { event, id, data } of eventsUntilEnd(response)) {
        wait = PAUSES.shortest;
        cursor = id || cursor;
        yield* messagesOf<Data>(event, cursor, data);
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof StreamEnded || error instanceof ApiError) throw error;
    }
    await pause(asked ?? wait * (1 + Math.random()), signal).catch(() => undefined);
  }
}

/** Throws if the same request would be refused again. */
async function refuse(response: Response): Promise<void> {
  const body: unknown = await response.json().catch(() => undefined);
  if (response.status < 500 && response.status !== 429) throw new ApiError(response.status, body);
}

/** The message of an event; none for an event that only brings a cursor. */
function messagesOf<Data>(event: string, cursor: string, data: string): LiveMessage<Data>[] {
  if (event === 'data' || event === 'firing') return [{ event, cursor, data: JSON.parse(data) }];
  return event === 'open' || event === 'reset' ? [{ event, cursor }] : [];
}

/**
 * The events until the server ends the stream. Throws if the same request would be refused again, and if the stream does
 * not end because a process of the platform does.
 */
async function* eventsUntilEnd(response: Response): AsyncGenerator<StreamEvent, void> {
  if (!response.ok || !response.body) return refuse(response);
  for await (const each of eventsIn(response.body)) {
    if (each.event !== 'end') {
      yield each;
      continue;
    }
    const { reason } = JSON.parse(each.data);
    if (reason === 'shutdown') return;
    throw new StreamEnded(reason);
  }
}

interface StreamEvent {
  event: string;
  id: string;
  data: string;
}

/** The events in a `text/event-stream`, parsed by the HTML standard. */
async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const { done, value } = await withDeadline(reader.read());
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) {
        const read = readBlock(block);
        // An event may hold only a cursor.
        if (read.data || read.id) yield read;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readBlock(block: string): StreamEvent {
  const read: StreamEvent = { event: 'message', id: '', data: '' };
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^(event|id|data): ?(.*)$/.exec(line) ?? [];
    if (field === 'data') read.data += read.data ? `\n${value}` : value;
    else if (field === 'event' || field === 'id') read[field] = value;
  }
  return read;
}

function withDeadline<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('the stream is quiet')), QUIET_SECONDS * 1000);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
