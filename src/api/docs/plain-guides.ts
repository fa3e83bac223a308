import { GUIDE_GROUPS, GUIDES, type Guide } from './guide-table';
import { addressOf, readGuide } from './guides';
import { rootFrom } from './layout';

const MARKDOWN = '.md';
const LINK = /\[([^\]]*)\]\(([^)\s]+)\)/g;
const BLOCK = /^(```[\s\S]*?^```$)/gm;

/** A guide as Markdown, by the path of its page and `.md`. Undefined if there is none. */
export function markdownAt(path: string): string | undefined {
  const guide = GUIDES.find(({ name }) => path === `docs/${name}${MARKDOWN}`);
  return guide && withAddresses(guide, rootFrom(path));
}

/** The list of guides for programs that read text (https://llmstxt.org). Addresses are absolute if the platform knows its own. */
export function listForPrograms(publicUrl: string | undefined): string {
  const root = publicUrl === undefined ? '' : `${publicUrl.replace(/\/$/, '')}/`;
  const [start] = GUIDES;
  const [title = '', , summary = ''] = start ? readGuide(start).split(/(\n\n)/) : [];
  const groups = GUIDE_GROUPS.map(({ title: group, guides }) => {
    const lines = guides.map(({ name, label, about }) => `- [${label}](${root}docs/${name}${MARKDOWN}): ${about}`);
    return `## ${group}\n\n${lines.join('\n')}\n`;
  });
  const api = `## API\n\n- [OpenAPI document](${root}openapi.json): every operation with its scope, fields, errors and examples\n`;
  return [`${title}\n`, `> ${summary.replaceAll('\n', ' ')}\n`, api, ...groups].join('\n');
}

/** Links lead to Markdown. A link to what the platform does not serve is its text. */
function withAddresses(guide: Guide, root: string): string {
  const redirect = (text: string) =>
    text.replace(LINK, (_link, label: string, target: string) => {
      const address = addressOf(target, guide.file, root, MARKDOWN);
      return address === undefined ? label : `[${label}](${address})`;
    });
  const parts = readGuide(guide).split(BLOCK);
  return parts.map((part) => (part.startsWith('```') ? part : redirect(part))).join('');
}
