import { existsSync, readFileSync } from 'node:fs';
import { dirname, extname, join, normalize } from 'node:path/posix';
import { ATTACHMENTS, GUIDES, type Guide } from './guide-table';
import { anchorOf, renderPage } from './markdown';
import { tryIt } from './samples';

/** The repository, or what `npm run build` copies of it. */
const ROOT = rootFolder();

/**
 * Renders a guide, and says whether it has requests that can be tried. `root` is the relative address of the root of the
 * platform, `publicUrl` the absolute one if it is known.
 */
export function renderGuide(guide: Guide, root: string, publicUrl?: string) {
  let hasRequests = false;
  const page = renderPage(
    readGuide(guide),
    (target) => addressOf(target, guide.file, root),
    (block, name) => {
      hasRequests = true;
      return tryIt(name, block, publicUrl);
    },
  );
  return { ...page, hasRequests };
}

/** The text of a guide without the part for contributors. */
export function readGuide({ file, until }: Guide): string {
  const text = withoutTags(readFileSync(join(ROOT, file), 'utf8'));
  const end = until === undefined ? -1 : text.indexOf(`\n## ${until}\n`);
  return end < 0 ? text : text.slice(0, end);
}

/** A file that guides link to, by its name under `/docs/`; undefined if there is none. */
export function readAttachment(name: string): { content: Buffer; type: string } | undefined {
  // Paths lose the ending `.json` before they get here.
  for (const file of [`docs/${name}`, `docs/${name}.json`]) {
    const type = ATTACHMENTS[extname(file)];
    if (type && isInside(file) && existsSync(join(ROOT, file)))
      return { content: readFileSync(join(ROOT, file)), type };
  }
  return undefined;
}

/** Where a link of the file `from` leads; undefined if the platform does not serve it. Guides have the `ending`. */
export function addressOf(target: string, from: string, root: string, ending = ''): string | undefined {
  if (/^(https?:|#)/.test(target)) return target;
  const [path = '', anchor] = target.split('#');
  const file = normalize(join(dirname(from), path));
  const guide = GUIDES.find((one) => one.file === file);
  if (guide?.until !== undefined && anchor === anchorOf(guide.until)) return undefined;
  if (guide) return `${root}docs/${guide.name}${ending}${anchor === undefined ? '' : `#${anchor}`}`;
  return isInside(file) && extname(file) in ATTACHMENTS ? `${root}${file}` : undefined;
}

function isInside(file: string): boolean {
  return normalize(file) === file && /^docs\/(images|operate)\//.test(file);
}

/** The only HTML in the sources: an image with a width. */
function withoutTags(text: string): string {
  return text.replace(/<img src="([^"]+)" alt="([^"]+)"[^>]*>/g, '![$2]($1)');
}

/** Finds `dist`, next to the compiled code. Tests run from the sources. */
function rootFolder(): string {
  const built = join(__dirname, '../../../guides');
  return existsSync(built) ? built : join(__dirname, '../../..');
}
