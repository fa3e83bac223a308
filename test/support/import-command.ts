import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { runCommand } from '../../client/src/cli/command';
import type { TestUser } from './platform';

const ROOT = join(__dirname, '../..');

export interface CommandRun {
  status: number;
  out: string;
  err: string;
}

/** Runs `sensors import …` in this process. */
export async function runImportCommand(
  url: string,
  key: string,
  args: readonly string[],
  { isTTY = false, env = {} }: { isTTY?: boolean; env?: Record<string, string> } = {},
): Promise<CommandRun> {
  let [out, err] = ['', ''];
  const status = await runCommand(['import', ...args], {
    env: { SENSORS_URL: url, SENSORS_KEY: key, ...env },
    stdin: Readable.from(['']),
    stdout: { write: (text) => (out += text) },
    stderr: { write: (text) => (err += text), isTTY },
  });
  return { status, out, err };
}

/** Starts the command in a process of its own, which may be killed. */
export function startImportCommand(
  url: string,
  key: string,
  args: readonly string[],
  env: Record<string, string> = {},
): ChildProcess {
  const given = ['-r', './scripts/swc-hook.cjs', './client/src/cli/index.ts', 'import', ...args];
  const variables = { ...process.env, SENSORS_URL: url, SENSORS_KEY: key, ...env };
  return spawn(process.execPath, given, { cwd: ROOT, env: variables, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** The user's sensors by name. */
export async function sensorsByName(user: TestUser): Promise<Map<string, Record<string, unknown> & { id: string }>> {
  const { sensors } = (await user.api.get('/sensors?per_page=1000')).body;
  return new Map(sensors.map((sensor: { name: string }) => [sensor.name, sensor]));
}

/** A sensor by its name; empty if there is none. */
export async function sensorNamed(user: TestUser, name: string): Promise<Record<string, unknown>> {
  return (await sensorsByName(user)).get(name) ?? {};
}

/** The points of a sensor as `date value`, in order. */
export async function storedIn(user: TestUser, name: string): Promise<string[]> {
  const id = (await sensorsByName(user)).get(name)?.id;
  if (id === undefined) return [];
  const { data } = (await user.api.get(`/sensors/${id}/data?per_page=1000`)).body;
  return data.map(
    ({ date, value }: { date: number; value: string }) => `${new Date(date * 1000).toISOString()} ${value}`,
  );
}

/** How many points a sensor has. */
export async function countIn(user: TestUser, name: string): Promise<number> {
  const id = (await sensorsByName(user)).get(name)?.id;
  return id === undefined ? 0 : (await user.api.get(`/sensors/${id}/data?per_page=1&total=1`)).body.total;
}

/** The metatags of a sensor in a namespace. */
export async function metatagsOf(
  user: TestUser,
  name: string,
  namespace = 'default',
): Promise<Record<string, unknown>> {
  const id = (await sensorsByName(user)).get(name)?.id;
  return (await user.api.get(`/sensors/${id}/metatags?namespace=${namespace}`)).body.metatags;
}
