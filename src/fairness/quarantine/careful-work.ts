import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import type { BegunWork } from './begun-work';
import type { LoneProcess } from './lone-process';
import type { Quarantine } from './quarantine';
import { type LoneEnd, type LoneTask, MOST_DEATHS, type SimpleKind, type WorkKind } from './work-kind';

export interface CarefulParts {
  begun: Pick<BegunWork, 'begin' | 'end'>;
  quarantine: Quarantine;
  lone: Pick<LoneProcess, 'run'>;
  metrics: Pick<Metrics, 'setAside'>;
  logger: Pick<Logger, 'error'>;
}

/**
 * Work that ended three processes is done by the lone process. If it ends that one as well, it is set aside, with a
 * reason.
 */
export class CarefulWork {
  constructor(private readonly parts: CarefulParts) {}

  /**
   * Runs work that one process does at a time. Undefined if the lone process did it, or it is set aside. `onSetAside`
   * shows the reason to the owner.
   */
  async run<T>(
    { kind, id }: { kind: SimpleKind; id: number },
    work: () => Promise<T>,
    onSetAside: (reason: string) => Promise<unknown> = async () => undefined,
  ): Promise<T | undefined> {
    const { begun, quarantine } = this.parts;
    if (quarantine.find(kind, id)) return undefined;
    const deaths = await begun.begin(kind, [id]);
    try {
      if (deaths < MOST_DEATHS) return await work();
      const reason = await this.runAlone({ kind, id });
      if (reason !== undefined) await onSetAside(reason);
      return undefined;
    } finally {
      begun.end(kind, [id]);
    }
  }

  /**
   * Returns why the work is set aside, if it ended the lone process twice. Throws if it is not done, for instance
   * because a server was away: the caller tries it again. `afterDeath` frees what the dead process held.
   */
  async runAlone(
    { kind, id }: { kind: SimpleKind; id: number },
    afterDeath: () => Promise<unknown> = async () => undefined,
  ): Promise<string | undefined> {
    for (let isFirst = true; ; isFirst = false) {
      const end = await this.runOnce({ kind, id });
      if (end.end === 'failed') throw new Error(`work could not be done alone: ${end.reason}`);
      if (end.end === 'done') return undefined;
      await afterDeath();
      // Once may be a kill from outside.
      if (!isFirst) return this.setAside(kind, id, end);
    }
  }

  async setAside(kind: WorkKind, id: number, end: LoneEnd & { reason: string }): Promise<string> {
    const { quarantine, metrics, logger } = this.parts;
    const reason = `set aside, because it ended each process that did it (${end.reason})`;
    await quarantine.add(kind, id, reason);
    metrics.setAside.inc({ kind });
    logger.error({ kind, id, reason: end.reason }, 'work was set aside, because it ends its processes');
    return reason;
  }

  get begun(): Pick<BegunWork, 'begin' | 'end'> {
    return this.parts.begun;
  }

  get quarantine(): Quarantine {
    return this.parts.quarantine;
  }

  runOnce(task: LoneTask): Promise<LoneEnd> {
    return this.parts.lone.run(task);
  }
}
