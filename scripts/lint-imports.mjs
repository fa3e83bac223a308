// npm run lint:imports: checks which folder may import which (the table in docs/architecture.md), and that there are no
// cycles. A folder may be given as argument.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Permitted imports of each room in addition to itself; the longest matching name counts. Rooms lower in the list come
 * first: imports go to rooms above their own, except from `resources` on, which see each other. `types`: only by
 * `import type`. `libraries`: the only packages it may use. `*.view` is every file of that kind; in the folders of
 * resources the kind of a file decides before its folder does.
 */
export const layers = {
  client: { may: [], libraries: ['openapi-fetch', '@noble/hashes'] },
  console: { may: ['client'], libraries: ['preact', 'uplot'] },
  'console/src/search': { may: [], libraries: [] },
  'console/src/csv': { may: ['console/src/language'], libraries: ['papaparse'] },
  jobs: { may: [], libraries: ['bullmq'] },
  'src/rules': { may: [], libraries: ['expr-eval', 'ipaddr.js'] },
  'src/platform': { may: ['src/rules'] },
  'src/storage': { may: ['src/rules', 'src/platform'] },
  'src/storage/models': { may: [] },
  'src/storage/migrations': { may: ['src/storage/mysql-errors'] },
  'src/queue': { may: ['jobs', 'src/rules', 'src/platform'] },
  'src/fairness': { may: ['jobs', 'src/rules', 'src/platform'], types: ['src/queue'] },
  'src/quarantine': { may: ['jobs', 'src/platform'], types: ['src/queue'] },
  'src/events': { may: ['src/storage', 'src/rules', 'src/platform'], types: ['src/queue'] },
  'src/inbox': { may: ['src/storage', 'src/rules'] },
  'src/point-store': { may: ['src/storage', 'src/rules', 'src/platform'], types: ['src/fairness'] },
  'src/trigger-store': { may: ['src/point-store', 'src/storage', 'src/rules'], types: ['src/inbox'] },
  'src/availability': { may: ['src/storage', 'src/platform'], types: ['src/inbox'] },
  'src/protocols': { may: ['src/rules'] },
  'src/sensor-services': { may: ['src/rules'] },
  'src/streams': {
    may: [
      ...['jobs', 'src/trigger-store', 'src/point-store', 'src/queue', 'src/fairness'],
      ...['src/storage', 'src/rules', 'src/platform'],
    ],
  },
  'src/intake': {
    may: [
      ...['src/inbox', 'src/events', 'src/streams', 'src/point-store', 'src/fairness'],
      ...['src/storage', 'src/rules', 'src/platform'],
    ],
    types: ['src/queue'],
  },
  'src/outbound': { may: ['src/rules'], types: ['src/fairness'], libraries: ['ipaddr.js'] },
  'src/delivery': {
    may: [
      ...['jobs', 'src/quarantine', 'src/events', 'src/point-store', 'src/fairness'],
      ...['src/storage', 'src/rules', 'src/platform'],
    ],
    types: ['src/queue'],
  },
  'src/delivery/channels': { may: ['src/outbound', 'src/rules', 'src/platform'] },
  'src/dispatch': {
    may: ['jobs', 'src/quarantine', 'src/delivery', 'src/events', 'src/storage', 'src/rules', 'src/platform'],
    types: ['src/queue'],
  },
  'src/evaluation': {
    may: [
      ...[
        'quarantine',
        'intake',
        'inbox',
        'availability',
        'delivery',
        'events',
        'streams',
        'sensor-services',
        'fairness',
      ],
      ...['trigger-store', 'point-store', 'storage', 'rules', 'platform'],
    ]
      .map((name) => `src/${name}`)
      .concat('jobs'),
    types: ['src/queue'],
  },
  'src/maintenance': {
    may: ['src/delivery', 'src/streams', 'src/point-store', 'src/storage', 'src/rules'],
    types: ['jobs', 'src/quarantine', 'src/evaluation', 'src/queue', 'src/platform'],
  },
  'src/access': { may: ['src/storage', 'src/rules', 'src/platform'] },
  'src/resources': {
    may: [
      ...['access', 'evaluation', 'delivery', 'events', 'streams', 'sensor-services', 'fairness'],
      ...['trigger-store', 'point-store', 'protocols', 'storage', 'rules', 'platform'],
    ].map((name) => `src/${name}`),
    types: ['jobs', 'src/intake', 'src/oauth', 'src/quarantine', 'src/queue'],
    not: ['*.controller', '*.request', '*.view'],
  },
  'src/oauth': {
    may: ['src/resources', 'src/access', 'src/events', 'src/storage', 'src/rules', 'src/platform'],
    types: ['src/fairness'],
    not: ['*.controller', '*.request', '*.view'],
  },
  '*.request': {
    may: ['src/resources/formats', 'src/protocols', 'src/rules', 'src/platform'],
    types: ['src/delivery/channels/index'],
  },
  '*.view': {
    may: ['src/resources/formats', 'src/rules'],
    types: [
      'src/access',
      'src/delivery/channels/index',
      'src/oauth',
      'src/resources',
      'src/sensor-services',
      'src/storage',
    ],
  },
  '*.controller': {
    may: ['src/resources', 'src/oauth', 'src/access'],
    types: ['src/evaluation', 'src/platform', 'src/queue'],
    not: ['*.controller'],
  },
  'src/mqtt': {
    may: [
      'jobs',
      'src/protocols',
      'src/outbound',
      'src/quarantine',
      'src/fairness',
      'src/storage',
      'src/rules',
      'src/platform',
    ],
    types: ['src/queue', 'src/resources/series/series-writer'],
  },
  'src/operations': {
    may: ['src/resources', 'src/delivery', 'src/point-store', 'src/storage', 'src/rules', 'src/platform'],
    types: ['src/oauth'],
  },
  'src/api': { may: ['src', 'jobs'] },
  'src/api/middlewares': {
    may: [
      'src/api/knobs',
      'src/api/protocol-routes',
      'src/access',
      'src/fairness',
      'src/storage',
      'src/rules',
      'src/platform',
    ],
    types: ['src/resources', 'src/api/operations'],
  },
  src: { may: ['src', 'jobs'] },
  'src/admin': { may: ['src', 'jobs'] },
  workers: {
    may: ['jobs', 'src/container', 'src/platform', 'src/startup-checks', 'src/storage/mysql-errors'],
    types: ['src/quarantine'],
  },
};

/** Folders in which the kind of a file decides its permitted imports. */
const foldersOfKinds = ['src/resources', 'src/oauth'];

/** The only places that may import these libraries. Types may be imported everywhere: they do not exist at run time. */
const importers = {
  commander: ['src/admin'],
  express: ['src/api/pages'],
  sequelize: ['src/storage', 'src/access', 'src/resources', 'src/oauth'],
  'sequelize-typescript': ['src/storage/models'],
  bullmq: ['jobs', 'workers/run-worker'],
  'expr-eval': ['src/rules/expression'],
  'ipaddr.js': ['src/rules/network-of', 'src/outbound'],
  mysql2: ['src/storage/index'],
  ioredis: ['src/queue/index'],
  snappy: ['src/protocols/snappy'],
  undici: ['src/delivery/channels'],
  'web-push': ['src/delivery/channels/push.channel', 'src/delivery/vapid-keys'],
  nodemailer: ['src/delivery/channels'],
  mqtt: ['src/mqtt/broker-connection'],
  ws: ['src/mqtt/broker-stream'],
  'markdown-it': ['src/api/docs/markdown'],
};

/** Places that only these may import. `types`: everyone may import types from them. */
const reserved = {
  'src/trigger-store/partition-epochs': { by: ['src/trigger-store'], types: true },
  'src/trigger-store/state-buffer': { by: ['src/trigger-store'] },
  'src/trigger-store/state-rows': { by: ['src/trigger-store'] },
  'src/generated': { by: ['src/api/http-server', 'src/api/operations', 'src/api/run-operation'] },
  'src/container': { by: ['src/server', 'src/admin/index', 'workers/index', 'workers/lone'], types: true },
  'src/delivery/channels': {
    by: ['src/delivery/channels', 'src/container', 'src/admin/private-instances'],
    except: ['src/delivery/channels/index'],
    types: true,
  },
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
  const reason = target ? whyNotFile(file, target, isType) : whyNotLibrary(file, name, isType);
  return reason && `${file}.ts imports ${target ?? name}: ${reason}`;
}

/** Why this file may not import that package; undefined if it may. */
function whyNotLibrary(file, name, isType) {
  if (name.startsWith('node:') || isType) return undefined;
  const library = packageOf(name);
  if (importers[library] && !isIn(file, importers[library])) {
    return `only ${importers[library].join(', ')} may use ${library}`;
  }
  const place = placeOf(file);
  const { libraries } = layers[place];
  if (!libraries || libraries.includes(library)) return undefined;
  return `${place} may use ${libraries.join(', ')} and no other package`;
}

/** Why this file may not import that file of ours; undefined if it may. */
function whyNotFile(file, target, isType) {
  const place = placeOf(file);
  const owner = longestMatch(Object.keys(reserved), target);
  const { by, except = [], types: isTypeOpen } = reserved[owner] ?? { by: [''], except: [target] };
  if (!isIn(target, except) && !isIn(file, by) && !(isType && isTypeOpen)) {
    return `only ${by.join(', ')} may import it`;
  }
  const { may, types = [], not = [] } = layers[place];
  if (isIn(target, not)) return `${place} may not import ${not.join(', ')}`;
  if (isIn(target, [...may, ...(place === 'src' ? [] : [place])])) return undefined;
  if (isIn(target, types)) return isType ? undefined : `${place} may import types from there and nothing else`;
  return `${place} may import ${[...may, ...types, 'itself'].join(', ')}`;
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

function placeOf(file) {
  const kind =
    isIn(file, foldersOfKinds) && Object.keys(layers).find((place) => place.startsWith('*') && isIn(file, [place]));
  return kind || longestMatch(Object.keys(layers), file);
}

function isIn(file, places) {
  return places.some(
    (place) =>
      file === place || file.startsWith(`${place}/`) || (place.startsWith('*') && file.endsWith(place.slice(1))),
  );
}

function longestMatch(places, file) {
  return places.filter((place) => isIn(file, [place])).sort((a, b) => b.length - a.length)[0];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const violations = findViolations(process.argv[2] ?? fileURLToPath(new URL('..', import.meta.url)));
  for (const each of violations) console.error(each);
  process.exitCode = violations.length > 0 ? 1 : 0;
}
