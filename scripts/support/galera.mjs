import { execFile, execFileSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import mysql from 'mysql2/promise';
import { mysqlInstance } from './mysql-instance.mjs';
import { freePort } from './ports.mjs';

const libraries = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib64/galera-4/libgalera_smm.so'];
const run = promisify(execFile);
const readyWithinMs = 60_000;
/** The user of Debian's package: as root, the program that greets a joining node could not read its folder. */
const serverUser = 'mysql';

/** The library with which MariaDB's servers form a cluster (Debian: galera-4), or undefined. */
export function findGalera() {
  return libraries.find((file) => existsSync(file));
}

/** The ports that `startGalera` needs. */
export async function galeraPorts(count = 3) {
  const ports = [];
  while (ports.length < 3 * count) {
    const port = await freePort();
    if (!ports.includes(port)) ports.push(port);
  }
  return ports;
}

/**
 * A private Galera cluster on this machine with these ports; every node accepts writes. Returns its nodes: `{ url,
 * child, recover(), start(), view() }`. All begin with the same files, so none has to copy them from another.
 */
export async function startGalera({ folder, guard, password, ports, count = 3, suspectSeconds = 3 }) {
  const members = Array.from({ length: count }, (_, index) => ports[3 * index + 1]);
  const nodes = Array.from({ length: count }, (_, index) => {
    const [port, member, transfer] = ports.slice(3 * index);
    const place = join(folder, `node-${index + 1}`);
    return new GaleraNode({ place, port, member, transfer, members, password, suspectSeconds, guard });
  });
  chmodSync(folder, 0o711); // for the servers' user
  const [first, ...others] = nodes;
  await first.begin(others);
  for (const node of others) await node.join();
  return nodes;
}

class GaleraNode {
  constructor(options) {
    Object.assign(this, options);
    mkdirSync(this.place, { recursive: true, mode: 0o700 });
  }

  get url() {
    return `mysql://sensors:${this.password}@127.0.0.1:${this.port}/sensors`;
  }

  /** Makes the accounts as the only member, gives the others its files, and continues as the first member. */
  async begin(others) {
    this.instance = mysqlInstance({ folder: this.place, throwaway: true, password: this.password });
    this.#launch(['--wsrep-new-cluster'], { hasInitFile: true });
    await this.#untilSynced();
    await this.guard.stop(this.child);
    for (const other of others) {
      cpSync(join(this.place, 'mysql'), join(other.place, 'mysql'), { recursive: true });
      rmSync(join(other.place, 'mysql', 'gvwstate.dat'), { force: true });
      other.instance = mysqlInstance({ folder: other.place, throwaway: true, password: this.password });
    }
    this.#launch(['--wsrep-new-cluster']);
    await this.#untilSynced();
  }

  /** Joins the others with the given files, which contain its position. */
  async join() {
    this.#launch([]);
    await this.#untilSynced();
  }

  /** After a kill, finds its last commit: from its own record, or from the record of its storage engine. */
  async recover() {
    const { command } = this.instance;
    this.#own();
    const args = this.#arguments(false).filter((argument) => !argument.startsWith('--log-error'));
    const { stdout, stderr } = await run(command, [...args, '--wsrep-recover'], { timeout: 30_000 });
    this.position = /Recovered position: ?(\S+)/.exec(`${stderr}${stdout}`)?.[1];
    // Otherwise it would copy everything from another node, which would be blocked meanwhile.
    if (!this.position) throw new Error(`a Galera node does not say what it has:\n${stderr}${stdout}`);
  }

  /** Joins the others after a kill, from its position. */
  async start() {
    this.#launch([`--wsrep-start-position=${this.position}`]);
    await this.#untilSynced();
  }

  /** Its view of the cluster while it accepts work, `{ members, id }`; the id is the latest change of members. */
  async view() {
    const options = { uri: this.url, connectTimeout: 1_000 };
    const connection = await mysql.createConnection(options).catch(() => undefined);
    if (!connection) return undefined;
    connection.on('error', () => {});
    const names = ['wsrep_local_state_comment', 'wsrep_cluster_size', 'wsrep_cluster_conf_id'];
    const asked = connection.query('SHOW STATUS WHERE Variable_name IN (?)', [names]).then(
      ([rows]) => {
        const [state, members, id] = names.map((name) => rows.find((row) => row.Variable_name === name)?.Value);
        return state === 'Synced' ? { members: Number(members), id } : undefined;
      },
      () => undefined,
    );
    const view = await Promise.race([asked, sleep(1_000)]);
    connection.destroy();
    return view;
  }

  async #untilSynced() {
    const end = Date.now() + readyWithinMs;
    while (!(await this.view())) {
      if (this.child.exitCode !== null) throw new Error(`a Galera node has ended: see ${this.instance.log}`);
      if (Date.now() > end) throw new Error(`a Galera node does not join: see ${this.instance.log}`);
      await sleep(100);
    }
  }

  #launch(more, { hasInitFile = false } = {}) {
    const { command, order } = this.instance;
    const options = { order, waitMs: 10_000, stdio: 'ignore' };
    this.#own();
    this.child = this.guard.spawn(command, [...this.#arguments(hasInitFile), ...more], options);
  }

  #arguments(hasInitFile) {
    const provider = {
      'gmcast.listen_addr': `tcp://127.0.0.1:${this.member}`,
      'ist.recv_addr': `127.0.0.1:${this.transfer}`,
      'gcache.size': '64M',
      'evs.keepalive_period': 'PT0.5S',
      'evs.inactive_check_period': 'PT0.2S',
      'evs.suspect_timeout': `PT${this.suspectSeconds}S`,
      'evs.inactive_timeout': `PT${2 * this.suspectSeconds}S`,
    };
    const all = this.instance.args(this.port);
    return [
      ...all
        .filter((argument) => hasInitFile || !argument.startsWith('--init-file'))
        .map((argument) => (argument === '--user=root' ? `--user=${serverUser}` : argument)),
      '--innodb-buffer-pool-size=48M',
      '--innodb-log-file-size=16M',
      '--innodb-flush-log-at-trx-commit=2',
      '--innodb-autoinc-lock-mode=2',
      '--binlog-format=ROW',
      '--wsrep-on=ON',
      `--wsrep-provider=${findGalera()}`,
      '--wsrep-cluster-name=sensors',
      `--wsrep-cluster-address=gcomm://${this.members.map((port) => `127.0.0.1:${port}`).join(',')}`,
      `--wsrep-node-address=127.0.0.1:${this.member}`,
      '--wsrep-slave-threads=2',
      '--wsrep-sst-method=rsync',
      `--wsrep-provider-options=${Object.entries(provider)
        .map(([name, value]) => `${name}=${value}`)
        .join(';')}`,
    ];
  }

  #own() {
    if (process.getuid?.() === 0) execFileSync('chown', ['-R', serverUser, this.place]);
  }
}
