import type { Pool, RowDataPacket } from 'mysql2/promise';
import { missingRights } from './sensor-visibility';

export interface Findings {
  problems: string[];
  warnings: string[];
}

/** Exists while a backup is being loaded. */
export const RESTORE_MARK = 'restore_under_way';

const LEAST_VERSIONS = { MySQL: [8, 0], MariaDB: [10, 6] } as const;
/** Two million characters of three bytes, plus the statement's own text. */
const LEAST_PACKET_MB = 16;
const MB = 1024 * 1024;
/** Larger clock differences are reported. */
const SKEW_MS = 2_000;

/** A proxy may have changed the settings of the pool's connections. Fails if the server cannot be queried. */
export async function checkMysql(pool: Pick<Pool, 'query'>, now: () => number = Date.now): Promise<Findings> {
  const variables = await readVariables(pool);
  const started = now();
  const [[row]] = await pool.query<RowDataPacket[]>(
    'SELECT VERSION() AS version, DATABASE() AS name, ROUND(UNIX_TIMESTAMP(NOW(3)) * 1000) AS ms',
  );
  const aheadMs = (started + now()) / 2 - Number(row?.ms);
  const [grants] = await pool.query<RowDataPacket[]>('SHOW GRANTS');
  const lines = grants.map((grant) => String(Object.values(grant)[0]));
  const [marks] = await pool.query<RowDataPacket[]>('SHOW TABLES LIKE ?', [RESTORE_MARK]);
  return {
    problems: [
      ...(marks.length > 0
        ? ['MySQL: a backup is being loaded into this database, or was in part: load it again']
        : []),
      ...versionProblems(String(row?.version)),
      ...rightsProblems(lines, String(row?.name)),
      ...variableProblems(variables),
    ],
    warnings: [...skewWarnings(aheadMs), ...durabilityWarnings(variables)],
  };
}

async function readVariables(pool: Pick<Pool, 'query'>): Promise<ReadonlyMap<string, string>> {
  const [rows] = await pool.query<RowDataPacket[]>('SHOW SESSION VARIABLES WHERE Variable_name IN (?)', [
    [
      'max_allowed_packet',
      'sql_mode',
      'autocommit',
      'tx_isolation', // MariaDB before 11.1
      'transaction_isolation',
      'time_zone',
      'log_bin',
      'binlog_format',
      'read_only',
      'innodb_rollback_on_timeout',
      'innodb_flush_log_at_trx_commit',
    ],
  ]);
  return new Map(rows.map((row) => [String(row.Variable_name).toLowerCase(), String(row.Value)]));
}

function versionProblems(version: string): string[] {
  const product = version.includes('MariaDB') ? 'MariaDB' : 'MySQL';
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const [leastMajor, leastMinor] = LEAST_VERSIONS[product];
  if (major > leastMajor || (major === leastMajor && minor >= leastMinor)) return [];
  return [`MySQL: this is ${product} ${version}; it must be MySQL 8.0 or MariaDB 10.6, or later`];
}

function rightsProblems(grants: readonly string[], database: string): string[] {
  const missing = missingRights(grants, database);
  return missing.length > 0
    ? [`MySQL: the user has no right to ${missing.join(', ')} on the database ${database}`]
    : [];
}

function variableProblems(variables: ReadonlyMap<string, string>): string[] {
  const of = (name: string) => variables.get(name) ?? '';
  const isolation = of('transaction_isolation') || of('tx_isolation');
  const isStatementBased = of('log_bin') === 'ON' && of('binlog_format') === 'STATEMENT';
  const kept = 'a proxy in between must keep what a connection sets';
  return [
    Number(of('max_allowed_packet')) < LEAST_PACKET_MB * MB &&
      `MySQL: max_allowed_packet is ${Number(of('max_allowed_packet')) / MB} MB; it must be ${LEAST_PACKET_MB} MB or more`,
    !/STRICT_(TRANS|ALL)_TABLES/.test(of('sql_mode')) &&
      `MySQL: sql_mode is '${of('sql_mode')}'; it must contain STRICT_TRANS_TABLES, or values are cut off`,
    /NO_BACKSLASH_ESCAPES/.test(of('sql_mode')) &&
      'MySQL: sql_mode contains NO_BACKSLASH_ESCAPES; it must not, or quotes in the texts of users end those of statements',
    of('autocommit') === 'OFF' && 'MySQL: autocommit is OFF; it must be ON, or what is written is lost',
    isolation !== 'READ-COMMITTED' &&
      `MySQL: the isolation of a connection is ${isolation} although READ-COMMITTED was set; ${kept}`,
    of('time_zone') !== '+00:00' &&
      `MySQL: the time zone of a connection is ${of('time_zone')} although +00:00 was set; ${kept}`,
    isStatementBased && 'MySQL: binlog_format is STATEMENT; it must be ROW or MIXED, or nothing can be written',
    of('innodb_rollback_on_timeout') === 'ON' &&
      'MySQL: innodb_rollback_on_timeout is ON; it must be OFF, or a transaction that goes on after a locked row loses what it wrote before',
    of('read_only') === 'ON' &&
      'MySQL: the server is read-only (read_only is ON); it must be the one that is written to',
  ].filter((problem) => problem !== false);
}

function skewWarnings(aheadMs: number): string[] {
  if (Math.abs(aheadMs) <= SKEW_MS) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1000);
  return [
    `the clock of this machine is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} that of MySQL; set one of them right`,
  ];
}

function durabilityWarnings(variables: ReadonlyMap<string, string>): string[] {
  const flush = variables.get('innodb_flush_log_at_trx_commit') ?? '1';
  if (flush === '1') return [];
  return [`MySQL: innodb_flush_log_at_trx_commit is ${flush}; a crash of its machine loses what was committed last`];
}
