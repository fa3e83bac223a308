// Runs beside whatever starts processes and holds one end of a pipe. When the other end is gone, however its owner
// ended, it stops what the owner left behind. It tells nobody anything and ends by itself.
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
