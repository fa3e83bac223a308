import type { Platform, TestUser } from './platform';
import { until } from './until';

/** An event as the HTML standard reads it. */
export interface StreamEvent {
  event: string;
  id: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test asserts on the shape
  data: any;
}

/** An open stream, with everything that it has brought so far. */
export interface EventStream {
  response: Response;
  events: StreamEvent[];
  comments: number;
  /** Whether the server has ended it, or the connection was cut. */
  isOver: boolean;
  /** The events with data of their own: points and firings. */
  readonly news: StreamEvent[];
  readonly cursor: string;
  /** Waits until so many points or firings have come. */
  has(count: number, limitMs?: number): Promise<void>;
  /** Waits until it is over, and returns its last event. */
  over(limitMs?: number): Promise<StreamEvent | undefined>;
  close(): Promise<void>;
}

/** Opens streams, those of `user` unless another is given, and closes them after each test of this `describe`; also those that it is to keep. */
export function useStreams(platform: Platform, user: TestUser) {
  const open: EventStream[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((stream) => stream.close()));
  });
  const stream = async (path: string, of: Pick<TestUser, 'session'> = user, headers: Record<string, string> = {}) => {
    const opened = await openStream(platform.url, path, { 'X-SESSION_ID': of.session, ...headers });
    open.push(opened);
    return opened;
  };
  return { stream, keep: (...streams: EventStream[]) => void open.push(...streams) };
}

/** Opens a stream and reads it until it is closed. */
export async function openStream(
  url: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<EventStream> {
  const abort = new AbortController();
  const response = await fetch(url + path, { headers, signal: abort.signal });
  const stream: EventStream = {
    response,
    events: [],
    comments: 0,
    isOver: false,
    get news() {
      return this.events.filter(({ event }) => event === 'data' || event === 'firing');
    },
    get cursor() {
      return this.events.filter(({ id }) => id !== '').at(-1)?.id ?? '';
    },
    has: (count, limitMs) => until(`${count} events have come`, () => stream.news.length >= count, limitMs),
    over: async (limitMs) => {
      await until('the stream is over', () => stream.isOver, limitMs);
      return stream.events.at(-1);
    },
    close: async () => {
      abort.abort();
      await reading;
    },
  };
  const reading = read(response, stream)
    .catch(() => undefined)
    .finally(() => {
      stream.isOver = true;
    });
  if (response.ok) await until('the stream begins', () => stream.isOver || stream.events.length > 0);
  return stream;
}

async function read({ body }: Response, stream: EventStream): Promise<void> {
  if (!body) return;
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    const blocks = (text + chunk).split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith(':')) stream.comments += 1;
      else stream.events.push(readBlock(block));
    }
  }
}

function readBlock(block: string): StreamEvent {
  const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
  return { event: fields.event ?? '', id: fields.id ?? '', data: fields.data && JSON.parse(fields.data) };
}
