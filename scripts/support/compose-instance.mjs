import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from './ports.mjs';

const composeFile = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));

/** One service of docker-compose.yml, published on a free port of this machine only; its volume keeps the data. */
export async function composeInstance({ name, memory, throwaway, guard, log }) {
  const portName = `${name}Port`;
  const port = memory.get(portName) ?? (await freePort());
  memory.set(portName, port);
  const project = `sensors-${createHash('sha256').update(memory.folder).digest('hex').slice(0, 8)}`;
  const compose = ['compose', '--project-name', project, '--file', composeFile];
  const ending = throwaway ? ['down', '--volumes'] : ['stop', name];
  const env = { ...process.env, [`${name.toUpperCase()}_PORT`]: String(port), MYSQL_PASSWORD: memory.password };
  log(`starting ${name} with docker compose …`);
  guard.runAtEnd(['docker', ...compose, ...ending]);
  const result = spawnSync('docker', [...compose, 'up', '--detach', '--wait', name], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  if (result.status !== 0) throw new Error(`docker compose could not start ${name}`);
  const user = throwaway ? 'root' : 'sensors'; // tests create their own databases
  const url =
    name === 'mysql' ? `mysql://${user}:${memory.password}@127.0.0.1:${port}/sensors` : `redis://127.0.0.1:${port}`;
  return { url, stop: async () => spawnSync('docker', [...compose, ...ending], { stdio: 'ignore', timeout: 60_000 }) };
}
