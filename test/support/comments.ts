import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from './markdown';

const ROOT = join(__dirname, '../..');
/** After one of these a slash divides; anywhere else it begins a regular expression. */
const ENDS_OPERAND = /^(?:[\w$#"'`)\]}]|\+\+$|--$)/;
/** Words that look like an operand and are none. */
const BEFORE_OPERAND = /^(?:return|typeof|case|in|of|await|yield|void|delete|instanceof|new|throw|else|do)$/;

/** A comment of a source; consecutive lines of `//` are one. */
export interface Comment {
  /** From 1. */
  line: number;
  text: string;
}

export interface CommentedSource {
  comments: Comment[];
  /** Number of lines that hold more than blanks and comments. */
  codeLines: number;
}

/** Paths of all files below a folder of the repository that `wanted` accepts. */
export function filesBelow(folder: string, wanted: (path: string) => boolean): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!entry.isDirectory()) return wanted(path) ? [path] : [];
    return /^(?:node_modules|dist|\..*)$/.test(entry.name) ? [] : filesBelow(path, wanted);
  });
}

/** Number of words with a letter or a digit. */
export function wordsIn({ comments }: CommentedSource): number {
  return comments.flatMap(({ text }) => text.match(/\S*[\p{L}\p{N}]\S*/gu) ?? []).length;
}

/** Reads TypeScript sources with TypeScript's own scanner. */
export async function openSourceReader(): Promise<(path: string) => CommentedSource> {
  const { SyntaxKind } = await import('typescript/unstable/ast');
  const { createScanner } = await import('typescript/unstable/ast/scanner');
  const { SingleLineCommentTrivia, MultiLineCommentTrivia, NewLineTrivia, WhitespaceTrivia } = SyntaxKind;
  const trivia = new Set([SingleLineCommentTrivia, MultiLineCommentTrivia, NewLineTrivia, WhitespaceTrivia]);

  return (path) => {
    const source = readPage(path);
    const scanner = createScanner(false, 0, source);
    const tokens = { last: '', braces: 0, templates: [] as number[] };
    const found: (Comment & { endLine: number; ownLine: boolean })[] = [];
    const code = new Set<number>();
    const lineAt = lineFinder(source);

    /** The scanner leaves the slashes of regular expressions and the ends of templates to the parser. */
    const scan = () => {
      const kind = scanner.scan();
      if (kind === SyntaxKind.SlashToken || kind === SyntaxKind.SlashEqualsToken) {
        const isDivision = ENDS_OPERAND.test(tokens.last) && !BEFORE_OPERAND.test(tokens.last);
        return isDivision ? kind : scanner.reScanSlashToken();
      }
      if (kind === SyntaxKind.TemplateHead) tokens.templates.push(tokens.braces);
      if (kind === SyntaxKind.OpenBraceToken) tokens.braces++;
      if (kind !== SyntaxKind.CloseBraceToken) return kind;
      if (tokens.templates.at(-1) !== tokens.braces) {
        tokens.braces--;
        return kind;
      }
      const part = scanner.reScanTemplateToken(false);
      if (part === SyntaxKind.TemplateTail) tokens.templates.pop();
      return part;
    };

    for (let kind = scan(); kind !== SyntaxKind.EndOfFile; kind = scan()) {
      const text = scanner.getTokenText();
      const [line, endLine] = [lineAt(scanner.getTokenStart()), lineAt(scanner.getTokenEnd() - 1)];
      if (!trivia.has(kind)) {
        tokens.last = /^[\w$#]+$/.test(text) ? text : text.endsWith('`') ? '`' : text.slice(-2).trim();
        for (let each = line; each <= endLine; each++) code.add(each);
      } else if (kind === SingleLineCommentTrivia || kind === MultiLineCommentTrivia) {
        const before = found.at(-1);
        const ownLine = !code.has(line);
        const continues = text.startsWith('//') && before?.ownLine && ownLine && before.endLine === line - 1;
        if (continues && before.text.startsWith('//'))
          Object.assign(before, { endLine, text: `${before.text}\n${text}` });
        else found.push({ line, endLine, ownLine, text });
      }
    }
    const lines = source.split('\n');
    return {
      comments: found.map(({ line, text }) => ({ line, text: withoutMarks(text) })),
      codeLines: [...code].filter((line) => lines[line - 1]?.trim() !== '').length,
    };
  };
}

function lineFinder(source: string): (position: number) => number {
  let [line, at] = [1, 0];
  return (position) => {
    if (position < at) [line, at] = [1, 0];
    for (; at < position; at++) if (source[at] === '\n') line++;
    return line;
  };
}

function withoutMarks(comment: string): string {
  const lines = comment.replace(/^\/\*\*?|\*\/$/g, '').split('\n');
  return lines
    .map((line) => line.replace(/^\s*(?:\/\/|\*(?!\/))?/, '').trim())
    .join(' ')
    .trim();
}
