import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stopOrder } from './processes.mjs';

const launcher = fileURLToPath(new URL('../launch.sh', import.meta.url));

/** Starts an API process (`api`) or a worker (`worker`) of the build in `cwd`, with the node that runs this script. */
export function launch(guard, kind, { env, ...options }) {
  const PATH = [dirname(process.execPath), env.PATH].filter(Boolean).join(delimiter);
  return guard.spawn('sh', [launcher, kind], { ...options, order: stopOrder[kind], env: { ...env, PATH } });
}
