import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const root = fileURLToPath(new URL('.', import.meta.url));
/** Its address must not change: browsers look there for a new version. */
const WORKER = 'sw.js';
/** The folder of configuration texts, which are of no use without a connection. */
const WAYS_IN = 'ways-in/';

/** What several pages use of others, besides the first page. */
const SHARED = 'names|forms[.]|sensor/firings|deliveries/summary';
/** What the console needs before it knows its texts. */
const START = 'api|format|language|load-language|service-worker|session|theme|ui/field-names';
/** Large forms, and what only they need: loaded when one of them opens. */
const FORMS =
  'chart/picture|csv-records|csv/(?!zones|gaps)|ui/file-field|pages/(upload/|sensor-data/range-form|sensors/(new-sensor|change-sensors|bulk|download|label-|tag-form|tag-values|view-fields))';
/** The same for triggers, apart: they need the file of their pages. */
const FORMS_OF_TRIGGERS = 'pages/trigger/(conditions|depends-on|label-fields|shown-to|step-dialogs|zone-field)';
/** The same for dashboards. */
const FORMS_OF_DASHBOARDS = 'pages/dashboards/(editor|tile-form|follow-search)';
/** Loaded when the outline of an environment is drawn, or a report is opened. */
const OUTLINE = 'pages/environment/(outline|picture-)';
const REPORT = 'pages/(alert-)?report([.]|/)';
/** Loaded on platforms with an identity provider only. */
const IDENTITIES = 'pages/account/identities';
/** What helps to change a rule: loaded when the rule of a saved trigger is changed, has a shadow, or earlier versions are opened. */
const CHANGES = 'pages/(changes/|trigger/(versions|words))';
/** Second factors, which few people set up, and the step of the sign-in that asks for one. */
const FACTORS = 'pages/account/factors/';
/** Who did what: few people open it. */
const HISTORY = 'pages/history/';
/** Everything out and in: once in the life of most accounts. */
const ARCHIVES = 'pages/archives/';
/**
 * What is used together is one file: few larger files compress better than many small ones. An earlier line wins, and takes
 * all that its modules import: what is loaded seldom comes last.
 */
const CHUNKS = [
  // Everything else is loaded after the texts of the user's language, so this must import nothing of it.
  ['start', new RegExp(`/(preact|client(?!/src/csv))/|vite/preload-helper|/src/(${START})\\.ts`)],
  [
    'parts',
    new RegExp(
      `/src/(?!${FORMS})((?!main|public|push[.])[^/]+$|(ui|csv|search)/|pages/(${SHARED}|(overview|sensors)[./]))`,
    ),
  ],
  [
    'chart',
    new RegExp(
      `/src/(?!${FORMS})(chart/|public|dashboards/|pages/(dashboards/(load|pin)|sensor|sensor-about|sensor-data)[./])`,
    ),
  ],
  [
    'set-up',
    new RegExp(
      `/src/(push[.]|(?!${FORMS_OF_TRIGGERS}|${CHANGES}|${FACTORS}|${IDENTITIES})pages/(account|connect|notifications?|series|sources|triggers?|why)[./])`,
    ),
  ],
  [
    'organise',
    new RegExp(
      `/src/(?!${FORMS_OF_DASHBOARDS}|${OUTLINE})pages/(alerts|dashboards?|deliver(y|ies)|events|mutes|services?|(group|environment|invitation)s?)[./]`,
    ),
  ],
  ['forms', new RegExp(`/src/(${FORMS})`)],
  ['forms-of-triggers', new RegExp(`/src/${FORMS_OF_TRIGGERS}`)],
  ['forms-of-dashboards', new RegExp(`/src/${FORMS_OF_DASHBOARDS}`)],
  ['changes', new RegExp(`/src/${CHANGES}`)],
  ['outline', new RegExp(`/src/${OUTLINE}`)],
  ['report', new RegExp(`/src/${REPORT}`)],
  ['identities', new RegExp(`/src/${IDENTITIES}`)],
  ['factors', new RegExp(`/src/${FACTORS}`)],
  ['team', /\/src\/pages\/team\//],
  ['history', new RegExp(`/src/${HISTORY}`)],
  ['archives', new RegExp(`/src/${ARCHIVES}`)],
].map(([name, test], at, { length }) => ({ name, test, priority: length - at }));

/** Files have hashes in their names; addresses in them are relative, so that the platform may be published under a path. */
export default defineConfig({
  root,
  base: './',
  // JSX becomes calls of `h`, which compress better than the calls of the automatic runtime.
  oxc: { jsx: { runtime: 'classic', pragma: 'jsxElement', pragmaFrag: 'jsxFragment' } },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: {
      input: { index: join(root, 'index.html'), sw: join(root, 'service-worker/worker.ts') },
      output: {
        entryFileNames: ({ name }) => (name === 'sw' ? WORKER : 'assets/[name]-[hash].js'),
        codeSplitting: { groups: CHUNKS },
      },
    },
  },
  plugins: [importsOfJsx(), partsEarly(), shellOfWorker()],
  worker: { format: 'es' },
  logLevel: 'warn',
});

/** Imports what the elements of a component are compiled to. */
function importsOfJsx() {
  return {
    name: 'imports-of-jsx',
    enforce: 'pre',
    transform: {
      filter: { id: /\.tsx$/ },
      handler: (code) => `import { h as jsxElement, Fragment as jsxFragment } from 'preact';${code}`,
    },
  };
}

/** Lets browsers load the files of the first page before they have read that they are needed. They run them when they are imported. */
function partsEarly() {
  return {
    name: 'parts-early',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => /^assets\/(parts|rolldown-runtime)-/.test(name))
          .map((name) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `./${name}` } })),
    },
  };
}

/** Writes the names of all files into the service worker, and a version that changes with any of them. */
function shellOfWorker() {
  return {
    name: 'shell-of-worker',
    enforce: 'post',
    generateBundle(_options, bundle) {
      const worker = bundle[WORKER];
      const publicFiles = readdirSync(join(root, 'public'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(join(root, 'public'), join(parentPath, name)))
        .filter((name) => !name.startsWith(WAYS_IN))
        .sort();
      const built = Object.keys(bundle).filter((name) => name.startsWith('assets/'));
      const hash = createHash('sha256').update(worker.code);
      for (const name of built.sort()) hash.update(`${name}\n`);
      for (const name of publicFiles) hash.update(readFileSync(join(root, 'public', name)));
      hash.update(readFileSync(join(root, 'index.html')));
      const shell = { version: hash.digest('hex').slice(0, 16), files: [...built, ...publicFiles] };
      worker.code = `const SHELL=${JSON.stringify(shell)};${worker.code}`;
    },
  };
}
