// Prints outputs of a step of the workflow of a release: `OWNER v1.2.3` the names of the image and the charts, `--digest FILE` the digest
// that `helm push` has printed into a file.
import { readFileSync } from 'node:fs';

const [owner = '', tag = ''] = process.argv.slice(2);
const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.-]+)?)$/.exec(tag) ?? [];
const lines = owner === '--digest' ? digestIn(tag) : namesOf(owner, version);
if (!lines) {
  console.error('usage: node scripts/release-names.mjs OWNER v1.2.3 | --digest FILE');
  process.exit(64);
}
console.log(lines.join('\n'));

function namesOf(owner, version) {
  if (!/^[\w.-]+$/.test(owner) || version === undefined) return undefined;
  const home = `ghcr.io/${owner.toLowerCase()}`;
  const image = `${home}/sensor-data-platform`;
  // What is tried before a release is not what `latest` and `1.2` mean.
  const moving = version.includes('-') ? [] : [version.split('.').slice(0, 2).join('.'), 'latest'];
  const tags = [version, ...moving].map((each) => `${image}:${each}`);
  return [`image=${image}`, `charts=${home}/charts`, `tags=${tags.join(',')}`];
}

function digestIn(file) {
  const [digest] = /sha256:[0-9a-f]{64}/.exec(readFileSync(file, 'utf8')) ?? [];
  return digest && [`digest=${digest}`];
}
