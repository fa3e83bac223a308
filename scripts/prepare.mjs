// node scripts/prepare.mjs FOLDER: makes what the services of deploy/compose.yml need before their first start, in a folder for each
// volume: passwords and keys, which later starts keep, and the Caddyfile of this release.
import { randomBytes } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node scripts/prepare.mjs FOLDER');
  process.exit(64);
}
const password = () => randomBytes(24).toString('hex');
const ofMysql = keep('database/password', password);
const ofValkey = keep('cache/password', password);
keep('database/root-password', password);
keep('platform/mysql-url', () => `mysql://sensors:${ofMysql}@mariadb:3306/sensors`);
keep('platform/redis-url', () => `redis://:${ofValkey}@valkey:6379`);
keep('platform/secrets-key', () => randomBytes(32).toString('hex'));
keep('platform/board-password', password);
mkdirSync(join(folder, 'proxy'), { recursive: true });
copyFileSync(fileURLToPath(new URL('../deploy/Caddyfile', import.meta.url)), join(folder, 'proxy/Caddyfile'));

/**
 * The text of the file, made if there is none. It is written under another name first, so that a kill leaves no part of it. All users
 * of a container may read it: its volume is mounted only where it is needed.
 */
function keep(name, make) {
  const file = join(folder, name);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  mkdirSync(join(file, '..'), { recursive: true });
  const text = make();
  writeFileSync(`${file}.new`, text, { mode: 0o444, flush: true });
  renameSync(`${file}.new`, file);
  return text;
}
