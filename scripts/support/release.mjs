// What a release consists of, and what must be right before it is made.
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** The image as the sources name it: a release has the names of its owner and its version in their places. */
const IMAGE = 'ghcr.io/OWNER/sensor-data-platform';
const HEADING = /^## \[(.+?)\](?: - (.+))?$/;

/** The version that package.json has. */
export function versionOf(root) {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
}

/** A line for each thing that is not as a release needs it: versions that differ, a changelog without a section. */
export function releaseProblems(root, tag) {
  const version = versionOf(root);
  const stated = Object.entries(statedVersions(root));
  const differing = stated.filter(([, found]) => found !== version);
  const problems = differing.map(([place, found]) => `${place} has version ${found}, package.json has ${version}`);
  const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
  const section = sectionsOf(changelog).find(({ name }) => name === version);
  if (!section?.text) problems.push(`CHANGELOG.md has no section ## [${version}] - date with text`);
  else if (!/^\d{4}-\d\d-\d\d$/.test(section.date ?? '')) problems.push(`the section ${version} has no date`);
  if (tag === undefined) return problems;
  if (tag !== `v${version}`) problems.push(`the tag is ${tag}, and package.json needs v${version}`);
  const unreleased = sectionsOf(changelog).find(({ name }) => name === 'Unreleased');
  if (unreleased?.text) problems.push('CHANGELOG.md has unreleased lines: move them to the section of this version');
  return problems;
}

/** The notes of a version: its section of the changelog. Links to files lead to the files of its tag. @public */
export function notesOf(changelog, version, repository) {
  const section = sectionsOf(changelog).find(({ name }) => name === version);
  if (!section?.text) throw new Error(`CHANGELOG.md has no section of version ${version}`);
  const files = `https://github.com/${repository}/blob/v${version}/`;
  return `${section.text.replace(/\]\((?!https?:|#)/g, `](${files}`)}\n`;
}

/** The text with the image of a release, by its version and, if it is known, its digest. */
function withImage(text, { owner, version, digest }) {
  const image = `ghcr.io/${owner.toLowerCase()}/sensor-data-platform`;
  const tag = digest ? `${version}@${digest}` : version;
  return text
    .replaceAll(`${IMAGE}:VERSION`, `${image}:${tag}`)
    .replaceAll(IMAGE, image)
    .replaceAll('digest: ""', `digest: "${digest ?? ''}"`);
}

/** Writes notes.md, compose.yml and the folder of the chart, as they are published. */
export function writeReleaseFiles(root, out, { repository, digest }) {
  const version = versionOf(root);
  const [owner] = repository.split('/');
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const published = (file) => withImage(read(file), { owner, version, digest });
  mkdirSync(out, { recursive: true });
  writeFileSync(join(out, 'notes.md'), notesOf(read('CHANGELOG.md'), version, repository));
  writeFileSync(join(out, 'compose.yml'), published('deploy/compose.yml'));
  cpSync(join(root, 'deploy/chart'), join(out, 'chart'), { recursive: true });
  writeFileSync(join(out, 'chart/values.yaml'), published('deploy/chart/values.yaml'));
  const left = filesIn(out).filter((file) => /OWNER|:VERSION/.test(readFileSync(file, 'utf8')));
  if (left.length > 0) throw new Error(`these files still name no owner or version: ${left.join(', ')}`);
}

function statedVersions(root) {
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const found = (file, pattern) => pattern.exec(read(file))?.[1];
  const chart = parse(read('deploy/chart/Chart.yaml'));
  return {
    'client/package.json': JSON.parse(read('client/package.json')).version,
    'package-lock.json': JSON.parse(read('package-lock.json')).version,
    'the version in deploy/chart/Chart.yaml': chart.version,
    'the appVersion in deploy/chart/Chart.yaml': chart.appVersion,
    'docker-compose.yml': found('docker-compose.yml', /sensor-data-platform:\$\{VERSION:-(.*?)\}/),
    '.env.example': found('.env.example', /^#VERSION=(.*)$/m),
    'README.md': found('README.md', /^Version (\d\S*?),/m),
  };
}

function sectionsOf(changelog) {
  const sections = [];
  for (const line of changelog.split('\n')) {
    const [, name, date] = HEADING.exec(line) ?? [];
    if (name !== undefined) sections.push({ name, date, lines: [] });
    else sections.at(-1)?.lines.push(line);
  }
  return sections.map(({ lines, ...section }) => ({ ...section, text: lines.join('\n').trim() }));
}

function filesIn(folder) {
  const names = readdirSync(folder, { recursive: true }).map((name) => join(folder, name));
  return names.filter((file) => statSync(file).isFile());
}
