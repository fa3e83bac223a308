import { refusedIn } from '../refused-archive';
import type { ImportProgress, LeftOut, MappedKind } from './import-progress';
import type { Importing } from './importing';
import { type Block, readBlocks } from './lines';
import { NamedThings } from './named-things';
import type { Line } from './records';

/** Things of one transaction: it locks partitions of sensors. */
const AT_ONCE = 10;

interface Thing {
  id: string;
  name: string;
}

/** How the things of one entry are made. */
export interface ThingStep<T extends Thing> {
  entry: string;
  kind: MappedKind;
  /** Selects `id` and `name` of those that the account has, in order of the ids. */
  present: string;
  read: (line: Line) => T;
  /** Undefined for one that another step makes. */
  make: (thing: T) => Promise<number> | undefined;
  /** What is not carried over of one that is made. */
  without?: (thing: T) => LeftOut[];
}

/** Makes what the account does not have, some at once. Returns false if the slice has ended before the entry. */
export async function makeThings<T extends Thing>(importing: Importing, step: ThingStep<T>): Promise<boolean> {
  const { database, ownerId, work, zip } = importing;
  const { entry, read } = step;
  const named = await NamedThings.read(database.pool, step.present, ownerId);
  const done = work.progress.line;
  for await (const { lines, first } of readBlocks(zip, entry)) {
    const things = lines.flatMap((text, index) => {
      const number = first + index;
      return text === '' ? [] : [{ number, thing: read({ entry, number, text }) }];
    });
    for (const { number, thing } of things) if (number <= done) named.next(thing.name);
    const left = things.filter(({ number }) => number > done);
    for (let at = 0; at < left.length; at += AT_ONCE) {
      await makeSome(importing, step, named, left.slice(at, at + AT_ONCE));
      if (importing.isOver()) return false;
    }
  }
  return true;
}

async function makeSome<T extends Thing>(
  importing: Importing,
  step: ThingStep<T>,
  named: NamedThings,
  some: readonly { number: number; thing: T }[],
): Promise<void> {
  const { work, database } = importing;
  const places = some.map(({ thing }) => named.next(thing.name));
  let added: { name: string; id: number }[] = [];
  await work.together(database.sequelize, async (): Promise<Partial<ImportProgress>> => {
    added = []; // the transaction may be repeated
    const done = [];
    const left: LeftOut[] = [];
    for (const [index, { thing, number }] of some.entries()) {
      const known = places[index];
      const making = known === undefined ? step.make(thing) : undefined;
      if (known === undefined && !making) continue;
      const refused = (error: unknown) => Promise.reject(refusedIn(step.entry, error, number));
      const id = known ?? (await making?.catch(refused)) ?? 0;
      done.push({ old: thing.id, id, isMade: known === undefined });
      if (known !== undefined) continue;
      added.push({ name: thing.name, id });
      left.push(...(step.without?.(thing) ?? []));
    }
    return importing.mapped(step.kind, done, { line: some.at(-1)?.number ?? 0, left: importing.leftOut(...left) });
  });
  for (const { name, id } of added) named.add(name, id);
}

/** All lines of an entry, read. For entries without many. */
export async function allLines<T>(importing: Importing, entry: string, read: (line: Line) => T): Promise<T[]> {
  const all: T[] = [];
  for await (const block of readBlocks(importing.zip, entry)) all.push(...linesOf(block, entry).map(read));
  return all;
}

function linesOf({ lines, first }: Block, entry: string): Line[] {
  return lines.flatMap((text, index) => (text === '' ? [] : [{ entry, number: first + index, text }]));
}
