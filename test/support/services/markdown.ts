/** Characters before which a backslash is read, by the readers of Markdown that services have. */
const COMMON_MARK = /\\([!-/:-@[-`{-~])/g;
const OF_CARDS = /\\([\\*_])/g;

/** Words that are bold, slanted or struck out. */
const MARKED = {
  all: /(\*\*?|__?|~~|`)(?=\S)([^*_~`\n]*\S)\1(?!\w)/g,
  cards: /(\*\*?|__?)(?=\S)([^*_\n]*\S)\1(?!\w)/g,
  none: /(?!)/g,
};
const INLINE_LINK = /!?\[([^[\]]*)\]\(([^()\s]*)\)/g;
const REFERENCE = /\[[^[\]]*\](\[[^[\]]*\]|:)/g;
const ANGLE_LINK = /<([^<>|\s]+)\|([^<>|]+)>/g;

/**
 * What people see of a text in Markdown: the links to other texts as `LINK text to address`, and all else as it is
 * written. Strict: a backslash before a bracket prevents a link only with `escapes`, where the service reads it so.
 */
export function shownMarkdown(text: string, escapes: 'all' | 'cards' | 'none'): string {
  const hidden: string[] = [];
  const hide = (character: string) => `\ue000${hidden.push(character) - 1}\ue001`;
  const escaped =
    escapes === 'none' ? text : text.replace(escapes === 'all' ? COMMON_MARK : OF_CARDS, (_, one) => hide(one));
  const linked = escaped
    .replace(INLINE_LINK, 'LINK $1 to $2')
    .replace(REFERENCE, 'LINK by a reference')
    .replace(escapes === 'none' ? ANGLE_LINK : /(?!)/g, 'LINK $2 to $1')
    .replace(MARKED[escapes], 'MARKED $2');
  return linked.replace(/\ue000(\d+)\ue001/g, (_, index) => hidden[Number(index)] ?? '').replace(/\u200b/g, '');
}
