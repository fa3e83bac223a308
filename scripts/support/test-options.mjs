const SWITCHES = { '--night': 'isNight', '--durations': 'recordsDurations' };
const SHARD = /^--shard=?(.*)$/;

/**
 * The arguments of `npm test`: mocha's `options`, the `files`, the `selection` of tests, and the base of `related` changes.
 * Throws for a part that does not exist.
 */
export function readOptions(given) {
  const left = [...given];
  const options = [];
  const files = [];
  const selection = {};
  let related;
  for (let argument = left.shift(); argument !== undefined; argument = left.shift()) {
    const [, part] = SHARD.exec(argument) ?? [];
    if (part !== undefined) selection.shard = readShard(part || left.shift());
    else if (SWITCHES[argument]) selection[SWITCHES[argument]] = true;
    else if (/^--related(=|$)/.test(argument)) related = argument.split('=')[1] ?? 'main';
    else (argument.endsWith('.ts') ? files : options).push(argument);
  }
  return { options, files, selection, related };
}

function readShard(text = '') {
  const [, number, of] = (/^(\d+)\/(\d+)$/.exec(text) ?? []).map(Number);
  if (!(number >= 1 && number <= of))
    throw new Error(`--shard ${text}: write --shard 1/3 for the first of three parts`);
  return { number, of };
}
