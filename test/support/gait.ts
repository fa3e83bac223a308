import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../node_modules/pedometer/test');
const SAMPLE_MS = 10;

/** Accelerations of a person with a sensor, in m/s² without gravity, 100 a second. */
export interface Recording {
  readonly name: string;
  readonly label: 'walking' | 'not walking';
  /** `x-axis`, `y-axis`, `z-axis` of each sample. */
  readonly samples: readonly Readonly<Record<string, number>>[];
}

/**
 * The recordings in the package `pedometer` for the tests of its step counter (M. Buegler, MIT), without the third one
 * of no walking, whose accelerations equal those of the first.
 */
export const RECORDINGS: readonly Recording[] = [
  ...[1, 2, 3, 4, 5].map((number) => read(`Walking${number}`, 'walking')),
  ...[1, 2, 4, 5].map((number) => read(`NotWalking${number}`, 'not walking')),
];

/** The samples as points that begin at `fromS` (unix seconds). */
export function pointsFrom({ samples }: Recording, fromS: number): { date: number; value: Record<string, number> }[] {
  return samples.map((value, at) => ({ date: (fromS * 1000 + at * SAMPLE_MS) / 1000, value }));
}

/** Its length in whole seconds. */
export function lengthOf({ samples }: Recording): number {
  return Math.floor((samples.length * SAMPLE_MS) / 1000);
}

function read(name: string, label: Recording['label']): Recording {
  const lines = readFileSync(join(FOLDER, `Data${name}.csv`), 'utf8')
    .trim()
    .split('\n');
  const samples = lines.map((line) => {
    const [x, y, z] = line.split(',').map(Number);
    return { 'x-axis': x ?? 0, 'y-axis': y ?? 0, 'z-axis': z ?? 0 };
  });
  return { name, label, samples };
}
