// A separate process that holds one end of a pipe. When the pipe closes because the process at the other end has ended,
// for any reason, it stops that process's children, prints nothing, and ends.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { stopAll } from './processes.mjs';

let duties = { processes: [], folders: [], commands: [] };

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {});

createInterface({ input: process.stdin })
  .on('line', (line) => {
    duties = JSON.parse(line);
  })
  .on('close', async () => {
    await stopAll(duties.processes);
    for (const [command, ...args] of duties.commands) spawnSync(command, args, { stdio: 'ignore', timeout: 60_000 });
    for (const folder of duties.folders) rmSync(folder, { recursive: true, force: true });
    process.exit(0);
  });
