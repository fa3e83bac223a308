import type { Pool, RowDataPacket } from 'mysql2/promise';
import type { Clock } from '../../platform/clock';
import type { Logger } from '../../platform/logger';
import type { Metrics } from '../../platform/metrics';
import type { PartitionLayout } from '../inbox/partition-layout';

const REPORTED_MS = 2_000;

/** Sets a live clock to MySQL's time, reports a wrong clock, and reads the partition count, with one statement. */
export class ServerTime {
  private isReported = false;

  constructor(
    private readonly clock: Clock,
    private readonly layout: Pick<PartitionLayout, 'learn'>,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
  ) {}

  /** Does not set a test clock. Assumes that MySQL read its clock after half of the round trip. */
  async synchronize(connection: Pick<Pool, 'query'>): Promise<void> {
    const started = performance.now();
    const [[row]] = await connection.query<RowDataPacket[]>(
      `SELECT ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS ms,
         (SELECT partition_count FROM partitions WHERE partition_no = 0) AS partitionCount`,
    );
    this.layout.learn(Number(row?.partitionCount ?? 0));
    if (!this.clock.synchronize) return;
    const halfMs = (performance.now() - started) / 2;
    this.report(this.clock.synchronize(Number(row?.ms) + halfMs, halfMs), halfMs);
  }

  private report(aheadMs: number, toMs: number): void {
    this.metrics.clockSkew.set(aheadMs / 1000);
    const isWrong = Math.abs(aheadMs) > REPORTED_MS + toMs;
    if (isWrong && !this.isReported) {
      this.logger.warn({ aheadMs: Math.round(aheadMs) }, 'the clock of this machine is wrong; that of MySQL is used');
    }
    this.isReported = isWrong;
  }
}
