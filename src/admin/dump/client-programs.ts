import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Maximum length of a program's error output. */
const MAX_COMPLAINT = 2_000;

export interface ClientProgram {
  name: string;
  isMariaDb: boolean;
}

export function findProgram(...names: string[]): ClientProgram {
  for (const name of names) {
    const { stdout, error } = spawnSync(name, ['--version'], { encoding: 'utf8' });
    if (!error) return { name, isMariaDb: stdout.includes('MariaDB') };
  }
  throw new Error(`${names.join(' or ')} is missing: install the client programs of MariaDB or MySQL`);
}

/**
 * While `use` reads its output or writes its input. The password is in a file that only this user can read, neither in
 * arguments nor in the environment. Fails with the program's error output.
 */
export async function runProgram(
  { name }: ClientProgram,
  mysqlUrl: string,
  args: readonly string[],
  use: (child: ChildProcess) => Promise<unknown>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sensors-client-'));
  try {
    const options = join(folder, 'client.cnf');
    await writeFile(options, optionsFile(new URL(mysqlUrl)), { mode: 0o600 });
    const database = decodeURIComponent(new URL(mysqlUrl).pathname.slice(1));
    const child = spawn(name, [`--defaults-file=${options}`, ...args, database], { stdio: 'pipe' });
    let complaint = '';
    child.stderr.on('data', (text) => {
      complaint = `${complaint}${text}`.slice(0, MAX_COMPLAINT);
    });
    const ended = once(child, 'close');
    const [used] = await Promise.allSettled([use(child), ended]);
    if (child.exitCode !== 0) throw new Error(`${name} failed: ${complaint.trim() || `exit code ${child.exitCode}`}`);
    if (used.status === 'rejected') throw used.reason;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** In double quotes a backslash escapes the next character. */
function optionsFile({ hostname, port, username, password }: URL): string {
  const quoted = (text: string) => `"${decodeURIComponent(text).replace(/["\\]/g, '\\$&')}"`;
  return [
    '[client]',
    'protocol=tcp',
    `host=${hostname.replace(/^\[|\]$/g, '')}`,
    `port=${port || 3306}`,
    `user=${quoted(username)}`,
    `password=${quoted(password)}`,
    'default-character-set=utf8mb4',
    '',
  ].join('\n');
}
