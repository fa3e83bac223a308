import { type Act, actAs, actorOf, type RefusedAttempts } from '../audit';
import type { Caller, Identity, Visitor } from '../platform/caller';
import type { Clock } from '../platform/clock';
import { PlatformError } from '../platform/errors';
import type { Operation } from './operations';

/** More than the caller may do, or something that they may not see. Mistakes and conflicts are no attempts. */
const REFUSED: ReadonlySet<number> = new Set([403, 404]);

const UPLOADS: ReadonlySet<Operation['kind']> = new Set(['upload', 'agent-upload']);

type RecordedOperation = Pick<Operation, 'action' | 'isChange' | 'kind' | 'method'>;

/** Names the caller of a change for its record, and records what is refused. */
export class OperationRecorder {
  constructor(
    private readonly refusedAttempts: Pick<RefusedAttempts, 'note'>,
    private readonly clock: Clock,
  ) {}

  records({ isChange, kind, method }: RecordedOperation): boolean {
    // Long reads are posted; a logout may be a GET.
    return isChange && !UPLOADS.has(kind) && (kind !== 'read' || method === 'get');
  }

  run<T>(operation: RecordedOperation, caller: Caller | Identity | Visitor, work: () => Promise<T>): Promise<T> {
    return this.records(operation) ? this.record(operation, caller, work) : work();
  }

  private async record<T>(
    { action }: RecordedOperation,
    caller: Caller | Identity | Visitor,
    work: () => Promise<T>,
  ): Promise<T> {
    const address = 'address' in caller ? caller.address : null;
    const act: Act = { ...actorOf(caller), address, action, dateMs: this.clock.now() };
    try {
      return await actAs(act, work);
    } catch (error) {
      if ('userId' in caller && error instanceof PlatformError && REFUSED.has(error.status))
        this.refusedAttempts.note(caller.userId, act, error.status);
      throw error;
    }
  }
}
