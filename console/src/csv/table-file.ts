import { loadedTranslations, type Translations, t } from '../language';
import type { Table } from './records';
import type { Choices, FilePoint, Surroundings, Understanding } from './types';

/** A request to a worker. */
export type Task = { id: number } & (
  | { what: 'open'; file: File; translations: Translations; heading: RegExp | undefined }
  | { what: 'table'; most: number }
  | { what: 'understand'; choices: Choices; around: Surroundings }
  | { what: 'batch'; start: number }
);

export type Reply = { id: number } & ({ result: unknown } | { error: string });

type Wanted<T> = T extends unknown ? Omit<T, 'id'> : never;

const MOST_MB = 100;

/** A file with a table, which a worker reads. */
export class TableFile {
  private readonly worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
  private readonly waiting = new Map<number, { resolve(result: never): void; reject(error: Error): void }>();
  private count = 0;

  private constructor() {
    this.worker.addEventListener('message', ({ data }: MessageEvent<Reply>) => {
      const task = this.waiting.get(data.id);
      this.waiting.delete(data.id);
      if ('error' in data) task?.reject(new Error(data.error));
      else task?.resolve(data.result as never); // the task with this id expects this result
    });
    this.worker.addEventListener('error', () => {
      for (const { reject } of this.waiting.values()) reject(new Error(t('The file could not be read.')));
      this.waiting.clear();
    });
  }

  /** A table without dates has a column with this heading. */
  static async open(file: File, heading?: RegExp): Promise<TableFile> {
    if (file.size > MOST_MB * 1024 * 1024) {
      throw new Error(
        t('The file has more than {n} MB. Split it and upload the parts one after the other.', { n: MOST_MB }),
      );
    }
    const table = new TableFile();
    try {
      await table.ask<undefined>({ what: 'open', file, translations: loadedTranslations(), heading });
      return table;
    } catch (error) {
      table.close();
      throw error;
    }
  }

  /** The table as it stands in the file, up to a number of records. */
  table(most: number): Promise<Table> {
    return this.ask({ what: 'table', most });
  }

  /** Reads the file under these choices; `batches` then returns the points under the same choices. */
  understand(choices: Choices, around: Surroundings): Promise<Understanding> {
    return this.ask({ what: 'understand', choices, around });
  }

  /** The points in order of date, in batches of the size of one request. */
  async *batches(): AsyncGenerator<readonly FilePoint[], void> {
    for (let start = 0; ; ) {
      const batch = await this.ask<readonly FilePoint[]>({ what: 'batch', start });
      if (batch.length === 0) return;
      yield batch;
      start += batch.length;
    }
  }

  close(): void {
    this.worker.terminate();
  }

  private ask<T>(task: Wanted<Task>): Promise<T> {
    this.count += 1;
    const id = this.count;
    return new Promise<T>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ ...task, id });
    });
  }
}
