import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LeaseTimes } from '../../src/storage/migrations/lease';

const SCRIPT = `
const { Sequelize } = require('sequelize');
const { migrate } = require('./src/storage/migrations');
const print = (text) => process.stdout.write(text.replace(/\\s+/g, ' ') + '\\n');
const sequelize = new Sequelize(process.env.MYSQL_URL, { dialect: 'mysql', logging: (sql) => print(sql) });
print('ready');
process.stdin.once('data', () => {
  migrate(sequelize, JSON.parse(process.env.LEASE_TIMES)).then(() => sequelize.close(), (error) => {
    print('error: ' + error.message);
    process.exit(1);
  });
});
`;

export interface MigratingProcess {
  /** What it has printed: the statements that it sent, and the error that ended it. */
  readonly lines: readonly string[];
  begin(): void;
  /** Waits until it has sent so many statements; fails when it ends before. */
  sent(statements: number): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string | null>;
}

/** A process of its own that is ready to migrate the database. */
export async function startMigratingProcess(mysqlUrl: string, times: LeaseTimes): Promise<MigratingProcess> {
  const child = spawn(process.execPath, ['-r', './scripts/swc-hook.cjs', '-e', SCRIPT], {
    cwd: join(__dirname, '../..'),
    env: { MYSQL_URL: mysqlUrl, LEASE_TIMES: JSON.stringify(times) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => resolve(code ?? signal));
  });
  const lines: string[] = [];
  const checks = new Set<() => void>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    for (const check of checks) check();
  });
  const printed = (count: number) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (lines.length >= count) resolve();
      };
      checks.add(check);
      check();
      void ended.then(() => reject(new Error(`the process ended after: ${lines.at(-1)}`)));
    });
  await printed(1);
  return {
    lines,
    begin: () => child.stdin.end('begin'),
    sent: (statements) => printed(statements + 1),
    kill: (signal) => child.kill(signal),
    ended,
  };
}
