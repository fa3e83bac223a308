import { setTranslations } from '../language';
import { decode, isWorkbook, unpacked } from './decode';
import type { Line } from './points';
import { readTable, type Table } from './records';
import type { Reply, Task } from './table-file';
import { batchFrom, understand } from './understand';
import { readWorkbook } from './workbook';

// Long files are read here, so that the page stays responsive. One worker reads one file.
let table: Table | undefined;
let points: readonly Line[] = [];

addEventListener('message', ({ data: task }: MessageEvent<Task>) => {
  perform(task).then(
    (result) => postMessage({ id: task.id, result } satisfies Reply),
    (error: unknown) => {
      postMessage({ id: task.id, error: error instanceof Error ? error.message : String(error) } satisfies Reply);
    },
  );
});

/** What a packed file may unpack to. */
const MOST_BYTES = 256 * 1024 * 1024;

async function open(file: File, heading: RegExp | undefined): Promise<Table> {
  const bytes = await unpacked(new Uint8Array(await file.arrayBuffer()), MOST_BYTES);
  return isWorkbook(bytes) ? readWorkbook(bytes) : readTable(decode(bytes), heading);
}

async function perform(task: Task): Promise<unknown> {
  if (task.what === 'open') {
    setTranslations(task.translations);
    table = await open(task.file, task.heading);
    return undefined;
  }
  if (task.what === 'batch') return batchFrom(points, task.start);
  if (!table) throw new Error('No file is open.');
  if (task.what === 'table') return { ...table, records: table.records.slice(0, task.most) };
  const reading = understand(table, task.choices, task.around);
  points = reading.points;
  return reading.understanding;
}
