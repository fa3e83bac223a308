import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { freePort } from './ports.mjs';

const composeFile = fileURLToPath(new URL('../../docker-compose.yml', import.meta.url));
/** Publishes the ports, which docker-compose.yml does not. */
const portsFile = fileURLToPath(new URL('./compose-ports.yml', import.meta.url));
const passwords = ['MYSQL_PASSWORD', 'MYSQL_ROOT_PASSWORD', 'REDIS_PASSWORD'];

/** One service of docker-compose.yml, published on a free port of this machine only; its volume keeps the data. */
export async function composeInstance({ name, settings, throwaway, guard, log }) {
  const portName = `${name}Port`;
  const port = settings.get(portName) ?? (await freePort());
  settings.set(portName, port);
  const project = `sensors-${createHash('sha256').update(settings.folder).digest('hex').slice(0, 8)}`;
  const compose = ['compose', '--project-name', project, '--file', composeFile, '--file', portsFile];
  const env = {
    ...process.env,
    [`${name.toUpperCase()}_PORT`]: String(port),
    ...Object.fromEntries(passwords.map((variable) => [variable, settings.password])),
  };
  // To stop it, compose requires passwords, but not the right ones.
  const unused = passwords.map((variable) => `${variable}=unused`);
  const ending = ['env', ...unused, 'docker', ...compose, ...(throwaway ? ['down', '--volumes'] : ['stop', name])];
  log(`starting ${name} with docker compose …`);
  guard.runAtEnd(ending);
  const result = spawnSync('docker', [...compose, 'up', '--detach', '--wait', name], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: 300_000,
  });
  if (result.status !== 0) throw new Error(`docker compose could not start ${name}`);
  const user = throwaway ? 'root' : 'sensors'; // tests create their own databases
  const url =
    name === 'mysql'
      ? `mysql://${user}:${settings.password}@127.0.0.1:${port}/sensors`
      : `redis://:${settings.password}@127.0.0.1:${port}`;
  const [command, ...args] = ending;
  return { url, stop: async () => spawnSync(command, args, { stdio: 'ignore', timeout: 60_000 }) };
}
