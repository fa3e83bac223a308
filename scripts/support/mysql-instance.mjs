import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { findBinary } from './binaries.mjs';
import { firstResponse } from './ports.mjs';
import { stopOrder } from './processes.mjs';

/** A private MariaDB or MySQL in `folder`: creates its data folder if there is none, and returns how to start it. */
export function mysqlInstance({ folder, throwaway, password }) {
  const server = findBinary('mariadbd', 'mysqld');
  const isMariaDb = execFileSync(server, ['--version'], { encoding: 'utf8' }).includes('MariaDB');
  const data = join(folder, 'mysql');
  const temporary = join(folder, 'tmp');
  const initFile = join(folder, 'mysql-init.sql');
  const log = join(folder, 'mysql.err');
  mkdirSync(temporary, { recursive: true, mode: 0o700 });
  if (!existsSync(data)) createDataFolder({ server, isMariaDb, data, temporary });
  writeFileSync(initFile, accounts({ password, throwaway, isMariaDb }), { mode: 0o600 });
  return {
    name: 'MySQL',
    order: stopOrder.mysql,
    log,
    waitMs: 60_000,
    command: server,
    args: (port) => argumentsOf({ port, folder, data, temporary, initFile, log, throwaway, isMariaDb }),
    isReady: async (port) => (await firstResponse(port))?.[4] === 10, // the greeting begins with the protocol version
    url: (port) => `mysql://sensors:${password}@127.0.0.1:${port}/sensors`,
  };
}

function argumentsOf({ port, folder, data, temporary, initFile, log, throwaway, isMariaDb }) {
  return [
    '--no-defaults',
    ...asRoot(),
    `--datadir=${data}`,
    `--tmpdir=${temporary}`,
    // Relative to the data folder, because the length of a socket's path is limited.
    '--socket=mysql.sock',
    `--pid-file=${join(folder, 'mysql.pid')}`,
    `--init-file=${initFile}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--skip-name-resolve',
    '--character-set-server=utf8mb4',
    '--collation-server=utf8mb4_unicode_ci',
    '--default-time-zone=+00:00',
    '--max-connections=500',
    '--innodb-buffer-pool-size=256M',
    `--innodb-flush-log-at-trx-commit=${throwaway ? 0 : 1}`,
    `--log-error=${log}`,
    // With a small log MariaDB writes the same pages repeatedly: at full load that is two fifths of its processor time.
    ...(isMariaDb
      ? [`--innodb-log-file-size=${throwaway ? '48M' : '256M'}`]
      : [
          `--innodb-redo-log-capacity=${throwaway ? '96M' : '256M'}`,
          '--innodb-compression-level=1', // for MariaDB the table itself has this option
          '--mysqlx=OFF',
          '--skip-log-bin',
          '--secure-file-priv=NULL', // MySQL does not start if the folder that it was built with is missing
        ]),
  ];
}

/** Builds it in another folder and renames that, so that an interrupted first start leaves no incomplete data folder. */
function createDataFolder({ server, isMariaDb, data, temporary }) {
  const unfinished = `${data}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const plain = isMariaDb ? plainPath(dirname(data)) : { path: dirname(data), remove: () => {} };
  const within = (path) => join(plain.path, basename(path));
  const places = ['--no-defaults', ...asRoot(), `--datadir=${within(unfinished)}`, `--tmpdir=${within(temporary)}`];
  const [command, args] = isMariaDb
    ? [
        findBinary('mariadb-install-db', 'mysql_install_db'),
        [...places, '--auth-root-authentication-method=normal', '--skip-test-db'],
      ]
    : [server, [...places, '--initialize-insecure']];
  if (!command) throw new Error('mariadbd is installed, but mariadb-install-db is missing');
  try {
    execFileSync(command, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: 120_000 });
  } finally {
    plain.remove();
  }
  renameSync(unfinished, data);
}

/** A path to the folder without blanks and other characters that the script of MariaDB, which does not quote, misreads. */
function plainPath(folder) {
  if (isPlain(folder)) return { path: folder, remove: () => {} };
  const place = mkdtempSync(join(isPlain(tmpdir()) ? tmpdir() : '/tmp', 'sensors-'));
  symlinkSync(folder, join(place, 'data'));
  return { path: join(place, 'data'), remove: () => rmSync(place, { recursive: true }) };
}

function isPlain(path) {
  return /^[\w./-]+$/.test(path);
}

/** The server runs this at every start, before it answers any client. Every login needs the password. */
function accounts({ password, throwaway, isMariaDb }) {
  const user = "'sensors'@'127.0.0.1'";
  return [
    'CREATE DATABASE IF NOT EXISTS sensors CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_ci;',
    `CREATE USER IF NOT EXISTS ${user} IDENTIFIED BY '${password}';`,
    `ALTER USER ${user} IDENTIFIED BY '${password}';`,
    `GRANT ALL ON ${throwaway ? '*.*' : 'sensors.*'} TO ${user}${throwaway ? ' WITH GRANT OPTION' : ''};`,
    ...['localhost', '127.0.0.1', '::1'].map(
      (host) => `ALTER USER IF EXISTS 'root'@'${host}' IDENTIFIED BY '${password}';`,
    ),
    // MariaDB creates accounts without a password for the machine's name and for the anonymous user.
    ...(isMariaDb
      ? [
          "DELETE FROM mysql.global_priv WHERE User = '' OR (User = 'root' AND Host NOT IN ('localhost', '127.0.0.1', '::1'));",
          'FLUSH PRIVILEGES;',
        ]
      : []),
    '',
  ].join('\n');
}

function asRoot() {
  return process.getuid?.() === 0 ? ['--user=root'] : [];
}
