import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Packs the client and installs it in an empty folder; its command and its module must work there. Returns the folder. */
export function checkClient(root, folder) {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], timeout: 180_000 };
  const project = join(folder, 'client');
  mkdirSync(project);
  execFileSync('npm', ['pack', '--pack-destination', folder], { ...options, cwd: join(root, 'client') });
  const { version } = JSON.parse(readFileSync(join(root, 'client/package.json'), 'utf8'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
  const tarball = join(folder, `sensor-data-client-${version}.tgz`);
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', ['install', ...quietly, tarball], { ...options, cwd: project });
  const usage = execFileSync(join(project, 'node_modules/.bin/sensors'), ['--help'], options);
  if (!usage.startsWith('Usage: sensors')) throw new Error(`sensors --help prints:\n${usage}`);
  return project;
}

/** Stores a point with the installed client and reads it again. */
export function useClient(project, url) {
  const program = `
    import { createClient, passwordDigest } from 'sensor-data-client';
    const client = createClient({ baseUrl: ${JSON.stringify(url)} });
    const user = { username: 'ada', email: 'ada@example.org', password: passwordDigest('correct horse') };
    await client.post('/users', { body: { user } });
    await client.login('ada', 'correct horse');
    const { sensor } = await client.post('/sensors', { body: { sensor: { name: 'greenhouse', data_type: 'float' } } });
    await client.upload(sensor.id, [{ value: 21.5 }]);
    const { data } = await client.get('/sensors/{id}/data', { params: { path: { id: sensor.id } } });
    console.log(JSON.stringify(data.map(({ value }) => value)));
  `;
  const given = ['--input-type=module', '--eval', program];
  const shown = execFileSync(process.execPath, given, { cwd: project, encoding: 'utf8', timeout: 60_000 }).trim();
  if (shown !== '["21.5"]') throw new Error(`the client reads ${shown} after it has stored 21.5`);
}
