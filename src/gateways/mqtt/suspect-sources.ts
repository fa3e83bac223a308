import { setTimeout as sleep } from 'node:timers/promises';
import type { CarefulWork } from '../../fairness/quarantine/careful-work';
import type { LoneEnd } from '../../fairness/quarantine/work-kind';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { isAway } from '../../storage/mysql-errors';
import type { SourceLeases } from './source-leases';

/** What the owner of a suspect reads until it has been tried. */
export const TRIED_APART =
  'is tried apart first, because three processes have ended while they were connected to it and to others';
/** How long a source waits before it is looked at again, while it is set aside. */
export const SET_ASIDE_MS = 600_000;
/** Longer than a round: then another worker may take a source whose worker has ended. */
export const TRIED_WITHIN_MS = 180_000;
/** The sources that a worker takes together become suspects within this time. */
const COLLECTED_MS = 1_000;

/** A source that three processes were connected to when they died, because of this one or of another. */
export interface Suspect {
  id: number;
  ownerId: number;
}

/** Suspects that are tried together. `hasDied`: it is one, and has ended the lone process before. */
interface Group {
  suspects: readonly Suspect[];
  hasDied: boolean;
}

interface Parts {
  careful: Pick<CarefulWork, 'begun' | 'runOnce' | 'setAside'>;
  leases: Pick<SourceLeases, 'planTry' | 'endLeases' | 'fail'>;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Finds the sources that end their process among those of a worker that has died three times. All suspects are tried
 * together in the lone process. A group that ends it is halved, and one that does not is connected again. So one bad
 * source among a hundred costs some fourteen rounds, and half of the others wait for two of them.
 */
export class SuspectSources {
  private readonly groups: Group[] = [];
  private readonly ids = new Set<number>();
  private collected: Suspect[] = [];
  private work: Promise<void> | undefined;
  private isClosed = false;

  constructor(private readonly parts: Parts) {}

  /** Tries the source soon, together with others. No worker must have it. */
  add({ id, ownerId }: Suspect): void {
    if (this.ids.has(id)) return;
    this.ids.add(id);
    this.collected.push({ id, ownerId });
    this.work ??= this.tryAll().finally(() => {
      this.work = undefined;
    });
  }

  open(): void {
    this.isClosed = false;
  }

  /** Begins no further round. Other workers take the sources within some minutes. */
  close(): void {
    this.isClosed = true;
  }

  private async tryAll(): Promise<void> {
    try {
      await sleep(COLLECTED_MS);
      for (let group = this.next(); group && !this.isClosed; group = this.next()) await this.try(group);
    } catch (error) {
      if (!isAway(error)) this.parts.logger.warn({ err: error }, 'suspect MQTT sources could not be tried');
    } finally {
      // Those that are left are suspects again when a worker takes them.
      this.groups.length = 0;
      this.collected = [];
      this.ids.clear();
    }
  }

  private next(): Group | undefined {
    if (this.collected.length > 0) this.groups.push({ suspects: this.collected, hasDied: false });
    this.collected = [];
    return this.groups.shift();
  }

  private async try(group: Group): Promise<void> {
    const { careful, leases, clock } = this.parts;
    const ids = group.suspects.map(({ id }) => id);
    await leases.planTry([...this.ids], clock.now() + TRIED_WITHIN_MS);
    const end = await careful.runOnce({ kind: 'source', ids });
    if (this.isClosed) return; // which may have ended the lone process
    if (end.end === 'died') return this.divide(group, end);
    careful.begun.end('source', ids);
    await leases.planTry(ids, clock.now());
    for (const id of ids) this.ids.delete(id);
  }

  /** After the group has ended the lone process. */
  private async divide({ suspects, hasDied }: Group, end: LoneEnd & { reason: string }): Promise<void> {
    const { careful, leases, clock } = this.parts;
    const ids = suspects.map(({ id }) => id);
    await leases.endLeases(ids, clock.now() + TRIED_WITHIN_MS);
    const [only, ...others] = suspects;
    if (!only) return;
    if (others.length > 0) for (const half of halvesOf(suspects)) this.groups.push({ suspects: half, hasDied: false });
    // Once may be a kill from outside.
    else if (!hasDied) this.groups.push({ suspects, hasDied: true });
    else {
      const reason = await careful.setAside('source', only.id, end);
      await leases.fail(only.id, reason, clock.now() + SET_ASIDE_MS);
      this.ids.delete(only.id);
    }
  }
}

/** By owners, if there are several: the bad ones are likely to be sources of one. */
function halvesOf(suspects: readonly Suspect[]): [Suspect[], Suspect[]] {
  const owners = [...new Set(suspects.map(({ ownerId }) => ownerId))];
  const half = new Set(owners.slice(0, Math.ceil(owners.length / 2)));
  const middle = Math.ceil(suspects.length / 2);
  const isFirst = ({ ownerId }: Suspect, index: number) => (owners.length > 1 ? half.has(ownerId) : index < middle);
  return [suspects.filter(isFirst), suspects.filter((suspect, index) => !isFirst(suspect, index))];
}
