import { readFile, rename, rm, writeFile } from 'node:fs/promises';

/** What is known of a series when its points up to here are stored. */
export interface SeriesState {
  sensorId: string;
  /** False for a sensor that was there before the import. */
  isNew: boolean;
  /** Points that the sensor had before the import. */
  before: number;
  /** Entries of the source that are dealt with. */
  read: number;
  /** Different dates, and their range; only while they are in order. */
  dates?: { count: number; firstMs: number; lastMs: number };
}

export interface ImportState {
  version: 1;
  kind: string;
  identity: string;
  platform: string;
  series: Record<string, SeriesState>;
}

const SAVE_EVERY_MS = 1_000;

/** The state of an import in a file, so that an interrupted import continues. */
export class StateFile {
  private savedMs = 0;

  constructor(private readonly path: string) {}

  /** The state of an interrupted import of the same data. Throws for the state of another one. */
  async load(wanted: Pick<ImportState, 'kind' | 'identity' | 'platform'>): Promise<ImportState | undefined> {
    const text = await readFile(this.path, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (text === undefined) return undefined;
    const state = this.parse(text);
    for (const name of ['kind', 'identity', 'platform'] as const) {
      if (state[name] === wanted[name]) continue;
      const what =
        name === 'identity' ? 'the source, or how it is read, has changed since' : `it was made with another ${name}`;
      throw new Error(`${this.path} is the state of an interrupted import, and ${what}: delete it to begin again`);
    }
    return state;
  }

  /** Replaces the file at once or not at all; not more often than once a second unless `isLast`. */
  async save(state: () => ImportState, isLast = false): Promise<void> {
    const nowMs = Date.now();
    if (!isLast && nowMs - this.savedMs < SAVE_EVERY_MS) return;
    this.savedMs = nowMs;
    await writeFile(`${this.path}.new`, JSON.stringify(state()));
    await rename(`${this.path}.new`, this.path);
  }

  async remove(): Promise<void> {
    await rm(this.path, { force: true });
  }

  private parse(text: string): ImportState {
    try {
      const state = JSON.parse(text) as Partial<ImportState>;
      if (state.version === 1 && state.series) return state as ImportState;
    } catch {
      // The error below names the file.
    }
    throw new Error(`${this.path} is no state of an import: give another file by --state`);
  }
}
