// npm run lint:imports: checks which folder may import which (the table in docs/architecture.md), and that there are no
// cycles. A folder may be given as argument.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The rooms by floors, from the ground up. A room may import itself and the rooms of the floors below it. */
export const floors = [
  ['client', 'jobs', 'src/generated'],
  ['console', 'src/platform'],
  ['src/language', 'src/queue'],
  ['src/edge', 'src/fairness'],
  ['src/outbound', 'src/storage'],
  ['src/access', 'src/audit', 'src/events'],
  ['src/points'],
  ['src/notifications'],
  ['src/alerts', 'src/gateways', 'src/people'],
  ['src/maintenance', 'src/operators', 'src/sensors'],
  ['src/archives'],
  ['src/container'],
  ['src/admin', 'src/api', 'workers'],
];

/** Rooms with a door: from outside, one imports their `index` only, and the API their `controllers`. */
export const wings = [
  'src/audit',
  'src/points',
  'src/notifications',
  'src/alerts',
  'src/people',
  'src/gateways',
  'src/sensors',
  'src/archives',
];

const pure = ['src/edge', 'src/language', 'src/platform'];

/** Places that may import less of ours than their floor: themselves and these. `types`: only by `import type`. */
const corners = {
  console: { may: ['client'] },
  'console/src/search': { may: [] },
  'console/src/csv': { may: ['client/src/csv-records', 'console/src/language'] },
  'src/fairness': { may: ['src/platform'], types: ['src/queue'] },
  'src/outbound': { may: ['src/platform'] },
  'src/storage/models': { may: ['src/edge', 'src/language'] },
  'src/storage/migrations': { may: ['src/storage/mysql-errors'] },
  'src/access': { may: ['src/edge', 'src/language', 'src/platform', 'src/storage'] },
  'src/events': { may: ['src/platform', 'src/storage'] },
  'src/points/availability': { may: ['src/platform', 'src/storage'], types: ['src/points/inbox'] },
  'src/points/inbox': { may: ['src/storage'], types: ['src/points/data-points'] },
  'src/points/point-store': { may: [...pure, 'src/points/data-points', 'src/storage'], types: ['src/fairness'] },
  'src/points/point-store/chunk': { may: ['src/edge', 'src/language'] },
  'src/points/sensor-services': { may: ['src/language', 'src/platform'], types: ['src/points/data-points'] },
  'src/notifications/delivery/channels': {
    may: [...pure, 'src/events', 'src/outbound', 'src/notifications/delivery', 'src/notifications/requests'],
    types: ['src/notifications/notifications'],
  },
  'src/notifications/presets': { may: ['src/platform'] },
  'src/notifications/requests': { may: [...pure, 'src/notifications/notifications/ca-certificate'] },
  'src/alerts/rules': { may: [...pure, 'src/access', 'src/points', 'src/notifications'] },
  'src/people/oauth/oauth1': { may: ['src/platform'] },
  'src/gateways/protocols': {
    may: [...pure, 'src/points', 'src/gateways/mqtt/decoder-names', 'src/gateways/mqtt/topic-filter'],
    types: ['src/gateways/mqtt'],
  },
  'src/maintenance': {
    may: ['src/alerts', 'src/notifications', 'src/platform', 'src/points', 'src/storage'],
    types: ['jobs', 'src/fairness', 'src/queue'],
  },
  'src/operators': {
    may: ['src/audit', 'src/notifications', 'src/people', 'src/points', 'src/platform', 'src/queue', 'src/storage'],
  },
  'src/api/middlewares': {
    may: [
      ...pure,
      'src/api/knobs',
      'src/api/protocol-routes',
      'src/access',
      'src/fairness',
      'src/points',
      'src/storage',
    ],
    types: ['src/api/operations'],
  },
  workers: {
    may: ['jobs', 'src/container', 'src/platform', 'src/operators/startup-checks', 'src/storage/mysql-errors'],
    types: ['src/fairness/quarantine'],
  },
};

/** What works on rows, jobs and receivers, when it runs. */
const outside = ['src/storage', 'src/queue', 'src/fairness', 'src/outbound', 'src/notifications/delivery/channels'];
/** The files between HTTP and the use cases. What puts a wing together knows them; the use cases do not. */
const kinds = {
  '*.request': { never: ['*.controller', '*.view'], atRunTime: outside },
  '*.view': { never: ['*.controller'], atRunTime: outside },
  '*.controller': { never: ['*.controller', ...outside] },
};
const putTogether = ['index', 'controllers'];
/** Its subject are documents in the fields of requests and views, so that a field has one rule. */
const documents = ['src/alerts/rule-sets'];

/** The only packages that these places may use. */
const libraries = {
  client: ['openapi-fetch', '@noble/hashes'],
  console: ['preact', 'uplot'],
  'console/src/search': [],
  'console/src/csv': ['read-excel-file'],
  jobs: ['bullmq'],
  'src/language': ['expr-eval'],
  'src/outbound': ['ipaddr.js'],
};

/** The only places that may import these libraries. Types may be imported everywhere: they do not exist at run time. */
const importers = {
  commander: ['src/admin'],
  express: ['src/api/pages'],
  sequelize: ['src/storage', 'src/access', ...wings],
  'sequelize-typescript': ['src/storage/models'],
  bullmq: ['jobs', 'workers/run-worker'],
  'expr-eval': ['src/language/expression'],
  'ipaddr.js': ['src/platform/network-of', 'src/outbound'],
  mysql2: ['src/storage/index'],
  ioredis: ['src/queue/index'],
  snappy: ['src/gateways/protocols/snappy'],
  undici: ['src/notifications/delivery/channels'],
  'web-push': ['src/notifications/delivery/channels/push.channel', 'src/notifications/delivery/vapid-keys'],
  nodemailer: ['src/notifications/delivery/channels'],
  mqtt: ['src/gateways/mqtt/broker-connection'],
  ws: ['src/gateways/mqtt/broker-stream'],
  otpauth: ['src/people/factors/totp'],
  uqr: ['src/people/factors/second-factors.view'],
  '@simplewebauthn/server': ['src/people/factors/ceremonies'],
  'markdown-it': ['src/api/docs/markdown'],
  yaml: ['src/alerts/rule-sets'],
  yauzl: ['src/archives/imports/zip-reader'],
  yazl: ['src/archives/exports/zip-file'],
  'openid-client': ['src/people/oidc/provider'],
};

/** Places that only these may import. `types`: everyone may import types from them. */
const reserved = {
  'src/alerts/trigger-store/partition-epochs': { by: ['src/alerts/trigger-store'], types: true },
  'src/alerts/trigger-store/state-buffer': { by: ['src/alerts/trigger-store'] },
  'src/alerts/trigger-store/state-rows': { by: ['src/alerts/trigger-store'] },
  'src/generated': {
    by: ['src/api/http-server', 'src/api/operations', 'src/api/run-operation', 'src/archives/request-models'],
  },
  'src/container': {
    by: [
      'src/container',
      'src/api/server',
      'src/admin/index',
      'src/admin/verification',
      'workers/index',
      'workers/lone',
    ],
    types: true,
  },
  'src/notifications/delivery/channels': {
    by: ['src/notifications/delivery/channels'],
    except: [
      'src/notifications/delivery/channels/index',
      'src/notifications/delivery/channels/mailer',
      'src/notifications/delivery/channels/open-mail-transport',
    ],
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
  const place = longestMatch(Object.keys(libraries), file);
  if (!place || libraries[place].includes(library)) return undefined;
  return `${place} may use ${libraries[place].join(', ') || 'none'} and no other package`;
}

/** Why this file may not import that file of ours; undefined if it may. */
function whyNotFile(file, target, isType) {
  return (
    whyReserved(file, target, isType) ??
    whyNotBelow(file, target) ??
    whyNotByDoor(file, target) ??
    whyNotInCorner(file, target, isType) ??
    whyNotOfKind(file, target, isType)
  );
}

function whyReserved(file, target, isType) {
  const owner = longestMatch(Object.keys(reserved), target);
  const { by, except = [], types: isTypeOpen } = reserved[owner] ?? { by: [''], except: [target] };
  if (isIn(target, except) || isIn(file, by) || (isType && isTypeOpen)) return undefined;
  return `only ${by.join(', ')} may import it`;
}

function whyNotBelow(file, target) {
  const [from, to] = [roomOf(file), roomOf(target)];
  if (!from || !to) return 'one of them is in no room of the floors';
  if (from === to || floorOf(to) < floorOf(from)) return undefined;
  return `${from} may import rooms of lower floors and itself`;
}

function whyNotByDoor(file, target) {
  const wing = wings.find((each) => isIn(target, [each]));
  if (!wing || isIn(file, [wing]) || target === `${wing}/index`) return undefined;
  if (target === `${wing}/controllers` && isIn(file, ['src/api'])) return undefined;
  return `one enters ${wing} by its index`;
}

function whyNotInCorner(file, target, isType) {
  const corner = longestMatch(Object.keys(corners), file);
  if (!corner) return undefined;
  const { may, types = [] } = corners[corner];
  if (isIn(target, [...may, corner])) return undefined;
  if (isIn(target, types)) return isType ? undefined : `${corner} may import types from there and nothing else`;
  return `${corner} may import ${[...may, ...types, 'itself'].join(', ')}`;
}

function whyNotOfKind(file, target, isType) {
  if (!wings.some((wing) => isIn(file, [wing]))) return undefined;
  const kind = longestMatch(Object.keys(kinds), file);
  if (!kind) {
    const name = file.split('/').at(-1);
    if (putTogether.includes(name) || name.startsWith('build-') || isIn(file, documents)) return undefined;
    return isIn(target, Object.keys(kinds)) ? 'a use case may not import it' : undefined;
  }
  const { never, atRunTime = [] } = kinds[kind];
  if (isIn(target, never)) return `${kind} may not import it`;
  return !isType && isIn(target, atRunTime) ? `${kind} may import types from there and nothing else` : undefined;
}

function roomOf(file) {
  return longestMatch(floors.flat(), file);
}

function floorOf(room) {
  return floors.findIndex((rooms) => rooms.includes(room));
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

/** All imports of the files in these folders. */
export function importsIn(root, places) {
  return places.flatMap((place) => filesIn(root, place)).flatMap((file) => importsOf(root, file));
}

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
