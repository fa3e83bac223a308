import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Plan } from './responses';

type Effect = Plan['effect'];

type Line =
  | Pick<Plan, 'changes' | 'tests' | 'warning'>
  | { progress: number }
  | { effect: Effect['triggers'][number] }
  | (Pick<Plan, 'digest'> & Omit<Effect, 'triggers'>);

/** Clears the line of a terminal. */
const CLEAR = '\r\u001b[K';

/** Reads a plan line by line while the platform makes it, and shows the progress. Throws without the last line. */
export async function planOf(response: Response, show: (text: string) => void): Promise<Plan> {
  const triggers: Effect['triggers'] = [];
  let known: Pick<Plan, 'changes' | 'tests' | 'warning'> = { changes: [], tests: [] };
  for await (const line of linesIn(response)) {
    if ('changes' in line) known = line;
    else if ('effect' in line) triggers.push(line.effect);
    else if ('progress' in line)
      show(`${CLEAR}Trying the changes on stored data: ${Math.round(line.progress * 100)} %`);
    else {
      show(CLEAR);
      const { digest, ...sums } = line;
      const order = known.changes.map(({ name }) => name);
      triggers.sort((a, b) => order.indexOf(a.trigger) - order.indexOf(b.trigger));
      return { digest, ...known, effect: { ...sums, triggers } };
    }
  }
  show(CLEAR);
  throw new Error('the plan ended before it was complete');
}

async function* linesIn({ body }: Response): AsyncGenerator<Line> {
  if (!body) return;
  let rest = '';
  const stream = Readable.fromWeb(body as ReadableStream); // the types of Node and of browsers differ
  for await (const part of stream.setEncoding('utf8')) {
    const lines = `${rest}${part}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
