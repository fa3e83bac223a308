import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';

/** Steps that change the system of the image, not the program in it: they would change this machine. */
const OF_THE_SYSTEM = /^(?:apt-get |mkdir .*\s\/)/;

/**
 * Makes the file system of the image in a folder, by the steps of our own Dockerfile, without a container engine. RUN happens on this
 * machine, in the folder of its stage; steps of the system are left out, and listed. An instruction that it does not know is an error.
 */
export function buildRootFolder(context, folder, log) {
  const stages = new Map();
  const image = { leftOut: [], env: {}, command: [], user: 'root' };
  let stage;
  const steps = {
    FROM: (text) => {
      const [, name = 'last'] = / AS (\w+)$/.exec(text) ?? [];
      stage = { root: join(folder, name), workdir: '/', env: {} };
      stages.set(name, stage);
      mkdirSync(stage.root, { recursive: true });
    },
    WORKDIR: (text) => {
      stage.workdir = resolve(stage.workdir, text);
      mkdirSync(join(stage.root, stage.workdir), { recursive: true });
    },
    ENV: (text) => Object.assign(stage.env, Object.fromEntries(text.split(' ').map((each) => each.split('=')))),
    COPY: (text) => copy(text, { stage, stages, context }),
    RUN: (text) => {
      if (OF_THE_SYSTEM.test(text)) image.leftOut.push(text);
      else run(text, stage, log);
    },
    USER: (text) => {
      image.user = text;
    },
    CMD: (text) => {
      image.command = JSON.parse(text);
    },
    VOLUME: () => {},
    EXPOSE: () => {},
  };
  for (const [name, text] of instructionsOf(readFileSync(join(context, 'Dockerfile'), 'utf8'))) {
    if (!steps[name]) throw new Error(`Dockerfile: ${name} is not known here`);
    steps[name](text);
  }
  return { ...image, env: stage.env, app: join(stage.root, stage.workdir) };
}

function instructionsOf(text) {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n');
  return lines.filter(Boolean).map((line) => {
    const [, name, rest] = /^(\w+)\s+(.*)$/.exec(line);
    return [name, rest.trim()];
  });
}

function copy(text, { stage, stages, context }) {
  const words = text.split(/\s+/);
  const [, from] = /^--from=(\w+)$/.exec(words[0]) ?? [];
  const names = words.slice(from ? 1 : 0);
  const target = names.pop();
  const to = join(stage.root, resolve(stage.workdir, target));
  const isKept = from ? () => true : keptOf(context);
  for (const name of names) {
    const source = from ? join(stages.get(from).root, name) : join(context, name);
    const isFile = statSync(source).isFile();
    cpSync(source, target.endsWith('/') && isFile ? join(to, basename(name)) : to, {
      recursive: true,
      verbatimSymlinks: true,
      filter: isKept,
    });
  }
}

/** What .dockerignore leaves: its lines are names in the context, with `*` in the first part alone. */
function keptOf(context) {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n').filter(Boolean);
  const patterns = lines.map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '[^/]*')}(/|$)`));
  return (source) => !patterns.some((pattern) => pattern.test(source.slice(context.length).replace(/^\/+/, '')));
}

function run(text, stage, log) {
  log(`  ${text}`);
  const options = { cwd: join(stage.root, stage.workdir), env: { ...process.env, ...stage.env }, encoding: 'utf8' };
  const { status, stdout, stderr } = spawnSync('sh', ['-c', text], {
    ...options,
    maxBuffer: 2 ** 26,
    timeout: 300_000,
  });
  if (status !== 0) throw new Error(`this step failed: ${text}\n${stdout}${stderr}`);
}
