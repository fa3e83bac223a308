// npm run lint:imports: checks which folder may import which (the table in docs/architecture.md), and that there are no
// cycles. A folder may be given as argument.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * What each folder may import in addition to itself; the longest matching name counts. `types`: only by `import type`.
 * `libraries`: the only packages it may use.
 */
export const layers = {
  client: { may: [], libraries: ['openapi-fetch', '@noble/hashes'] },
  console: { may: ['client'], libraries: ['preact', 'uplot'] },
  'console/src/csv': { may: [], libraries: ['papaparse'] },
  jobs: { may: [], libraries: ['bullmq'] },
  workers: {
    may: ['jobs', 'src/config', 'src/container', 'src/database/mysql-errors', 'src/process', 'src/startup-checks'],
    types: ['src/shutdown'],
  },
  src: { may: ['src', 'jobs'] },
  'src/admin': { may: ['src', 'jobs'] },
  'src/actors': { may: ['src/domain', 'src/sensor-services'] },
  'src/channels': { may: ['src/domain'] },
  'src/controllers': { may: ['src/services', 'src/requests', 'src/views'], types: ['src/caller', 'src/redis'] },
  'src/database': { may: ['src/domain', 'src/migrations', 'src/models'] },
  'src/deliveries': {
    may: ['src/channels/index', 'src/database', 'src/domain', 'src/events', 'jobs'],
    types: ['src/channels', 'src/redis', 'src/metrics'],
  },
  'src/domain': { may: [], libraries: ['expr-eval', 'ipaddr.js'] },
  'src/events': { may: ['src/database', 'src/domain'], types: ['src/redis'] },
  'src/http': { may: ['src', 'jobs'] },
  'src/http/middlewares': {
    may: ['src/database/mysql-errors', 'src/domain', 'src/errors', 'src/policies'],
    types: ['src/caller', 'src/metrics', 'src/redis', 'src/services', 'src/views'],
  },
  'src/http/uploads': {
    may: ['src/controllers', 'src/errors', 'src/http/middlewares'],
    types: ['src/caller', 'src/container', 'src/http/draining', 'src/requests'],
  },
  'src/ingest': {
    may: ['src/actors', 'src/database', 'src/deliveries', 'src/domain', 'src/events', 'src/streams'],
    types: ['src/sensor-services', 'src/redis', 'src/metrics', 'jobs'],
  },
  'src/maintenance': {
    may: ['src/database', 'src/deliveries', 'src/domain', 'src/streams'],
    types: ['src/metrics', 'src/redis', 'jobs'],
  },
  'src/migrations': { may: ['src/database/mysql-errors'] },
  'src/models': { may: [] },
  'src/policies': { may: ['src/domain'] },
  'src/redis': { may: ['src/domain', 'src/errors', 'jobs'], types: ['src/actors', 'src/metrics'] },
  'src/requests': { may: ['src/domain', 'src/errors'], types: ['src/channels/index'] },
  'src/sensor-services': { may: ['src/domain'] },
  'src/streams': { may: ['src/database', 'src/domain', 'src/models'], types: ['src/redis'] },
  'src/services': {
    may: [
      ...['database', 'deliveries', 'domain', 'errors', 'events', 'ingest', 'models', 'policies', 'streams'].map(
        (name) => `src/${name}`,
      ),
      'src/channels/index',
      'src/sensor-services',
      'jobs',
    ],
    types: ['src/caller', 'src/channels', 'src/config', 'src/redis'],
  },
  'src/views': {
    may: ['src/domain'],
    types: ['src/channels/index', 'src/models', 'src/services', 'src/sensor-services'],
  },
};

/** Every folder may import these. */
const open = ['src/byte-budget', 'src/clock', 'src/fair-gate', 'src/logger', 'src/with-timeout'];

/** The only places that may import these libraries. Types may be imported everywhere: they do not exist at run time. */
const importers = {
  commander: ['src/admin'],
  express: ['src/http/app'],
  sequelize: ['src/database', 'src/migrations', 'src/services'],
  'sequelize-typescript': ['src/models'],
  bullmq: ['jobs', 'workers/run-worker'],
  'expr-eval': ['src/domain/expression'],
  'ipaddr.js': ['src/domain/network-of', 'src/channels'],
  mysql2: ['src/database/index'],
  ioredis: ['src/redis/index'],
  undici: ['src/channels'],
  nodemailer: ['src/channels'],
};

/** Places that only these may import. `types`: everyone may import types from them. */
const reserved = {
  'src/generated': { by: ['src/http/app', 'src/http/routes'] },
  'src/container': { by: ['src/server', 'src/admin/index', 'workers/index'], types: true },
};

const folders = ['src', 'jobs', 'workers', 'client', 'console/src'];

/** One message for each import that breaks a rule, and for each cycle. */
export function findViolations(root) {
  const files = folders
    .flatMap((folder) => filesIn(root, folder))
    .filter((file) => !isIn(file, ['src/generated', 'client/src/generated']));
  const imports = files.flatMap((file) => importsOf(root, file));
  return [...imports.map(violation).filter(Boolean), ...cycles(imports.filter((each) => !each.isType && each.target))];
}

function violation({ file, name, target, isType }) {
  const describe = (reason) => `${file}.ts imports ${target ?? name}: ${reason}`;
  const place = longestMatch(Object.keys(layers), file);
  if (!target) {
    if (name.startsWith('node:') || isType) return undefined;
    const library = packageOf(name);
    if (importers[library] && !isIn(file, importers[library]))
      return describe(`only ${importers[library].join(', ')} may use ${library}`);
    const { libraries } = layers[place];
    return libraries && !libraries.includes(library)
      ? describe(`${place} may use ${libraries.join(', ')} and no other package`)
      : undefined;
  }
  const owner = longestMatch(Object.keys(reserved), target);
  if (owner && !isIn(file, reserved[owner].by) && !(isType && reserved[owner].types)) {
    return describe(`only ${reserved[owner].by.join(', ')} may import it`);
  }
  const { may, types = [] } = layers[place];
  if (isIn(target, [...open, ...may, ...(place === 'src' ? [] : [place])])) return undefined;
  if (isIn(target, types))
    return isType ? undefined : describe(`${place} may import types from there and nothing else`);
  return describe(`${place} may import ${[...may, ...types, 'itself'].join(', ')}`);
}

/** Reports each cycle once, starting at its alphabetically first file. */
function cycles(imports) {
  const next = groupByFile(imports);
  const done = new Set();
  const found = new Set();
  const visit = (file, path) => {
    const start = path.indexOf(file);
    if (start >= 0) found.add(rotated(path.slice(start)).join(' -> '));
    if (start >= 0 || done.has(file)) return;
    for (const { target } of next.get(file) ?? []) visit(target, [...path, file]);
    done.add(file);
  };
  for (const file of [...next.keys()].sort()) visit(file, []);
  return [...found].map((cycle) => `import cycle: ${cycle}`);
}

function groupByFile(imports) {
  const groups = new Map();
  for (const each of imports) groups.set(each.file, [...(groups.get(each.file) ?? []), each]);
  return groups;
}

function rotated(cycle) {
  const first = cycle.indexOf([...cycle].sort()[0]);
  const files = [...cycle.slice(first), ...cycle.slice(0, first)];
  return [...files, files[0]];
}

const statement =
  /^[ \t]*(?:import|export)\s+(?:(?<type>type)\s+(?!from\b))?(?<names>[\w*{}\s,$]*?)\s*from\s*['"](?<from>[^'"\n]+)['"]|^[ \t]*import\s+['"](?<effect>[^'"\n]+)['"]|\b(?:import|require)\(\s*['"](?<call>[^'"\n]+)['"]/gm;

/** The imports of one file. Files are named without `.ts` and `.tsx`; `target` is one of our own files. */
function importsOf(root, file) {
  const text = readFileSync(
    join(root, existsSync(join(root, `${file}.ts`)) ? `${file}.ts` : `${file}.tsx`),
    'utf8',
  ).replace(/^\s*(?:\/\/|\/?\*).*$/gm, '');
  return [...text.matchAll(statement)].map(({ groups }) => {
    const name = groups.from ?? groups.effect ?? groups.call;
    const target = name.startsWith('.') ? resolveFile(root, normalize(join(dirname(file), name))) : undefined;
    return { file, name, target, isType: Boolean(groups.type) || hasOnlyTypes(groups.names) };
  });
}

function hasOnlyTypes(names) {
  const listed = names
    ?.match(/^\{([^}]*)\}$/)?.[1]
    .split(',')
    .filter((part) => part.trim());
  return listed?.length > 0 && listed.every((part) => part.trim().startsWith('type '));
}

function resolveFile(root, path) {
  const isFile = ['.ts', '.tsx'].some((ending) => existsSync(join(root, `${path}${ending}`)));
  return isFile || !existsSync(join(root, path, 'index.ts')) ? path : `${path}/index`;
}

function filesIn(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return filesIn(root, path);
    return /\.tsx?$/.test(path) ? [path.replace(/\.tsx?$/, '')] : [];
  });
}

function packageOf(name) {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/');
}

function isIn(file, places) {
  return places.some((place) => file === place || file.startsWith(`${place}/`));
}

function longestMatch(places, file) {
  return places.filter((place) => isIn(file, [place])).sort((a, b) => b.length - a.length)[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = findViolations(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  for (const each of violations) console.error(each);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
