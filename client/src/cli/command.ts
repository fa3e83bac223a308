import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { createClient } from '../client';
import { importData } from './import/import-command';
import { planOf } from './plan-lines';
import { markdownOf } from './plan-markdown';
import { appliedText, plainStyle, planText, terminalStyle, testsText } from './plan-text';
import type { Applied, Plan, Tested } from './responses';
import type { Shell } from './shell';

const OK = 0;
const FAILURE = 1;
const CHANGES = 2;

const USAGE = `Usage: sensors rules export|test|plan|apply FILE
       sensors import --help

  export FILE   writes the rules of the account to FILE; with --set NAME those of a rule set
  test FILE     runs the tests of the document
  plan FILE     shows what applying the document would change
  apply FILE    plans and applies the document, or applies an earlier plan with --digest

FILE is a rule set in YAML or JSON; - stands for the standard input or output.

  --url URL         address of the platform (SENSORS_URL; http://localhost:8080)
  --days N          days of stored data that show the effect, 0 to 31 (7)
  --json            prints the response
  --markdown        prints a plan for a comment on a pull request
  --fail-on-change  plan: changes are a failure
  --digest DIGEST   apply: fails unless the plan has this digest
  --prune           apply: deletes what the document no longer names
  --episodes WHAT   apply: keep or end open alerts of changed rules (keep)
  --ignore-tests    apply: even if a test fails
  --set NAME        export: the rule set NAME

The key is read from SENSORS_KEY. Status: 0 if there is nothing to do or all went well, 2 if a plan has changes, 1 for a failure.
`;

const OPTIONS = {
  url: { type: 'string' },
  days: { type: 'string' },
  json: { type: 'boolean' },
  markdown: { type: 'boolean' },
  'fail-on-change': { type: 'boolean' },
  digest: { type: 'string' },
  prune: { type: 'boolean' },
  episodes: { type: 'string' },
  'ignore-tests': { type: 'boolean' },
  set: { type: 'string' },
  help: { type: 'boolean' },
} as const;

type Options = ReturnType<typeof parseArgs<{ options: typeof OPTIONS; allowPositionals: true }>>['values'];

interface Call {
  options: Options;
  file: string;
  shell: Shell;
  send: (path: string, init?: RequestInit) => Promise<Response>;
}

const COMMANDS: Readonly<Record<string, (call: Call) => Promise<number>>> = {
  export: exportRules,
  test: testRules,
  plan: planRules,
  apply: applyRules,
};

/** Runs `rules plan FILE`, `import csv FILE` and the like. Returns the status of the process. */
export async function runCommand(args: readonly string[], shell: Shell): Promise<number> {
  try {
    if (args[0] === 'import') return await importData(args.slice(1), shell);
    const { values: options, positionals } = parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
    const [subject, name = '', file, ...more] = positionals;
    const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
    if (options.help) {
      shell.stdout.write(USAGE);
      return OK;
    }
    if (subject !== 'rules' || !command || file === undefined || more.length > 0) {
      shell.stderr.write(USAGE);
      return FAILURE;
    }
    const { SENSORS_URL, SENSORS_KEY } = shell.env;
    const baseUrl = (options.url ?? SENSORS_URL ?? 'http://localhost:8080').replace(/\/+$/, '');
    const client = createClient({ baseUrl, ...(SENSORS_KEY && { key: SENSORS_KEY }) });
    return await command({ options, file, shell, send: (path, init) => client.fetch(path, init) });
  } catch (error) {
    shell.stderr.write(`${messageOf(error)}\n`);
    return FAILURE;
  }
}

async function exportRules({ options, file, shell, send }: Call): Promise<number> {
  const document = await (await send(`/rules/${encodeURIComponent(options.set ?? 'export')}`)).text();
  if (file === '-') shell.stdout.write(document);
  else await writeFile(file, document);
  return OK;
}

async function testRules(call: Call): Promise<number> {
  const tested = await post<Tested>(call, '/rules/test', await documentOf(call));
  const { tests, warning } = tested;
  print(call, tested, (style) => testsText(tests, call.file, style) + (warning ? `${style('yellow', warning)}\n` : ''));
  return tests.every(({ passed }) => passed) ? OK : FAILURE;
}

async function planRules(call: Call): Promise<number> {
  const plan = await readPlan(call, await documentOf(call));
  if (call.options.markdown) call.shell.stdout.write(markdownOf(plan, call.file));
  else print(call, { plan }, (style) => planText(plan, call.file, style));
  if (plan.tests.some(({ passed }) => !passed)) return FAILURE;
  if (plan.changes.every(({ action }) => action === 'none')) return OK;
  return call.options['fail-on-change'] ? FAILURE : CHANGES;
}

async function applyRules(call: Call): Promise<number> {
  const { digest, prune, episodes, 'ignore-tests': ignoreTests } = call.options;
  const document = await documentOf(call);
  const query = new URLSearchParams({
    digest: digest ?? (await readPlan(call, document, '0')).digest,
    ...(prune && { prune: 'true' }),
    ...(episodes !== undefined && { episodes }),
    ...(ignoreTests && { tests: 'ignore' }),
  });
  const { applied } = await post<{ applied: Applied }>(call, `/rules/apply?${query}`, document);
  print(call, { applied }, (style) => appliedText(applied, style));
  return OK;
}

async function readPlan(call: Call, document: string, days = call.options.days): Promise<Plan> {
  const query = days === undefined ? '' : `?days=${encodeURIComponent(days)}`;
  const { stderr } = call.shell;
  const response = await postDocument(call, `/rules/plan${query}`, document, { Accept: 'application/x-ndjson' });
  return planOf(response, stderr.isTTY ? (text) => stderr.write(text) : () => {});
}

async function post<Body>(call: Call, path: string, document: string): Promise<Body> {
  return (await postDocument(call, path, document)).json() as Promise<Body>;
}

function postDocument({ send }: Call, path: string, body: string, more: Record<string, string> = {}) {
  return send(path, { method: 'POST', headers: { 'Content-Type': 'application/yaml', ...more }, body });
}

function documentOf({ file, shell }: Call): Promise<string> {
  return file === '-' ? text(shell.stdin) : readFile(file, 'utf8');
}

function print({ options, shell }: Call, response: object, toText: (style: typeof terminalStyle) => string): void {
  const hasColours = shell.stdout.isTTY === true && !shell.env.NO_COLOR;
  const style = hasColours ? terminalStyle : plainStyle;
  shell.stdout.write(options.json ? `${JSON.stringify(response, null, 2)}\n` : toText(style));
}

/** A failed connection names its reason only in its cause. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message ? `${error.message}: ${cause.message}` : error.message;
}
