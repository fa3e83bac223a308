import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../clock';
import type { Logger } from '../logger';
import type { Metrics } from '../metrics';

/** A clock that is further off than this is reported. */
const REPORTED_MS = 2_000;

/** Keeps a live clock at the time of MySQL, and reports one that is wrong. */
export class ServerTime {
  private isReported = false;

  constructor(
    private readonly clock: Clock,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Sets the clock; does nothing to those of tests. The time that asking takes is shared between both ways. */
  async synchronize(connection: Pick<Pool, 'query'>): Promise<void> {
    if (!this.clock.synchronize) return;
    const started = performance.now();
    const [[row]] = await connection.query<RowDataPacket[]>('SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS ms');
    const aheadMs = this.clock.synchronize(Number(row?.ms) + (performance.now() - started) / 2);
    this.metrics.clockSkew.set(aheadMs / 1000);
    const isWrong = Math.abs(aheadMs) > REPORTED_MS;
    if (isWrong && !this.isReported) {
      this.logger.warn({ aheadMs: Math.round(aheadMs) }, 'the clock of this machine is wrong; that of MySQL is used');
    }
    this.isReported = isWrong;
  }
}
