import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { launch } from '../support/launch.mjs';
import { freePort } from '../support/ports.mjs';

const readyWithinMs = 120_000;

/** Builds the sources of a commit in `folder`, with the packages of that commit. */
export function buildCommit({ root, commit, folder }) {
  mkdirSync(folder);
  const archive = spawnSync('git', ['archive', commit], { cwd: root, maxBuffer: 1 << 29 });
  if (archive.status !== 0) throw new Error(`${commit} is not in this clone: ${archive.stderr}`);
  mustRun('tar', ['-x'], { cwd: folder, input: archive.stdout });
  // Not `npm ci`: it refuses the lock file of the former release, which lists one system only.
  mustRun('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
  mustRun(process.execPath, ['scripts/build.mjs'], { cwd: folder });
}

function mustRun(command, args, options) {
  const { status, stdout, stderr } = spawnSync(command, args, { maxBuffer: 1 << 26, ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`);
}

/** The processes of one release, on servers that both releases share. */
export class Release {
  constructor({ name, folder, env, guard, logFile }) {
    Object.assign(this, { name, folder, env, guard, logFile });
    this.processes = [];
  }

  /** Starts an API process and a worker; resolves with the port once the API is ready. */
  async start() {
    this.port = await freePort();
    this.api = this.#launch('api');
    await this.#untilReady();
    this.worker = this.#launch('worker');
    return this.port;
  }

  /** Asks both to end, and waits for it; returns their exit codes. */
  async stop() {
    const ended = this.processes.map((child) => new Promise((resolve) => child.once('exit', resolve)));
    for (const child of this.processes) child.kill('SIGTERM');
    return Promise.all(ended);
  }

  #launch(kind) {
    const child = launch(this.guard, kind, {
      cwd: this.folder,
      env: { ...this.env, PORT: String(this.port) },
      stdio: ['ignore', this.logFile, this.logFile],
      waitMs: 30_000,
    });
    this.processes.push(child);
    return child;
  }

  async #untilReady() {
    const until = Date.now() + readyWithinMs;
    while (Date.now() < until) {
      if (this.api.exitCode !== null) throw new Error(`the API of the ${this.name} release ended at its start`);
      const url = `http://127.0.0.1:${this.port}/readyz`;
      const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
      if (response?.status === 200) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error(`the API of the ${this.name} release is not ready after ${readyWithinMs / 1_000} s`);
  }
}
