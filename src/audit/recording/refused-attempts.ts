import type { Pool } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import { inPoolTransaction, type RunSql, runOn } from '../../storage/transaction';
import { append } from '../chain/chain-writer';
import type { AuditEntry, Chain } from '../chain/record';
import type { Act } from './act';
import { ofAct } from './changes';

const WINDOW_MS = 60_000;
/** All further kinds share one record. */
const KINDS_PER_ACCOUNT = 10;
const MOST_ACCOUNTS = 10_000;

interface Counted {
  entry: AuditEntry;
  dateMs: number;
  /** Without the first, which is recorded already. */
  times: number;
}

/** Records the first attempt of a kind at once, and those of the next minute together, so that a flood makes few records. */
export class RefusedAttempts {
  private readonly counted = new Map<Chain, Map<string, Counted>>();
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> = Promise.resolve();

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
    private readonly logger: Logger,
  ) {}

  /**
   * `refused` is null for a right password that lacks its second factor. Returns at once: the time of an answer must not
   * show whether an account exists.
   */
  note(accountId: number, act: Act, refused: number | null): void {
    const chain: Chain = `account:${accountId}`;
    const kinds = this.counted.get(chain) ?? new Map<string, Counted>();
    if (!this.counted.has(chain) && this.counted.size >= MOST_ACCOUNTS) return;
    this.counted.set(chain, kinds);
    const { dateMs } = act;
    const named = entryOf(act, refused);
    const isOther = kinds.size >= KINDS_PER_ACCOUNT && !kinds.has(keyOf(named));
    const entry = isOther ? { ...named, ...OTHERS } : named;
    const known = kinds.get(keyOf(entry));
    if (known) known.times += 1;
    else {
      kinds.set(keyOf(entry), { entry, dateMs, times: 0 });
      this.write([{ chain, entry, dateMs }]);
    }
    this.timer ??= setTimeout(() => this.flush(), WINDOW_MS).unref();
  }

  /** Waits for everything that is being written. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const found = [...this.counted].flatMap(([chain, kinds]) =>
      [...kinds.values()].flatMap(({ entry, times }) =>
        times > 0 ? { chain, entry: { ...entry, times }, dateMs: this.clock.now() } : [],
      ),
    );
    this.counted.clear();
    this.write(found);
    return this.writing;
  }

  private write(found: readonly { chain: Chain; entry: AuditEntry; dateMs: number }[]): void {
    for (const { chain, entry, dateMs } of found) {
      this.writing = this.writing
        .then(() => inPoolTransaction(this.pool, (connection) => appendIfOpen(runOn(connection), chain, entry, dateMs)))
        .catch((error: unknown) => this.logger.warn({ err: error, chain }, 'a refused attempt is not recorded'));
    }
  }
}

/** The history of a closed account is deleted, and stays deleted. */
async function appendIfOpen(run: RunSql, chain: Chain, entry: AuditEntry, dateMs: number): Promise<void> {
  const sql = 'SELECT id FROM users WHERE id = ? AND closed_ms IS NULL LOCK IN SHARE MODE';
  const [open] = await run(sql, [Number(chain.split(':')[1])]);
  if (open) await append(run, chain, [entry], dateMs);
}

const OTHERS = { byKind: 'visitor', byId: null, who: null, address: null, action: 'others' } as const;

function keyOf({ byKind, byId, address, action, refused }: AuditEntry): string {
  return JSON.stringify([byKind, byId, address, action, refused]);
}

function entryOf(act: Act, refused: number | null): AuditEntry {
  const changed = JSON.stringify(refused === null ? { second_factor: [null, 'asked for'] } : {});
  const nothing = { subjectKind: null, subjectId: null, subjectName: null };
  return { ...ofAct(act), ...nothing, changed, refused, times: 1 };
}
