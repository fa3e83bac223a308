import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readPage } from './markdown';

const ROOT = join(__dirname, '../..');
/** After one of these a slash divides; anywhere else it begins a regular expression. */
const ENDS_OPERAND = /^(?:[\w$#]+|["'`)\]}]|\+\+|--)$/;
/** Words that look like an operand and are none. */
const BEFORE_OPERAND = /^(?:return|typeof|case|in|of|await|yield|void|delete|instanceof|new|throw|else|do)$/;

type Typescript = typeof import('typescript/unstable/ast', { with: { 'resolution-mode': 'import' }});

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

interface Piece {
  text: string;
  isComment: boolean;
  line: number;
  endLine: number;
}

/** Paths of all files below a folder of the repository (`''` for its root) that `wanted` accepts. */
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

/** Returns a reader of sources by their paths, on TypeScript's own scanner. */
export async function openSourceReader(): Promise<(path: string) => CommentedSource> {
  const typescript = await import('typescript/unstable/ast');
  return (path) => {
    const code = new Set<number>();
    const comments: (Comment & Piece & { isAlone: boolean })[] = [];
    for (const piece of piecesOf(readPage(path), typescript)) {
      if (!piece.isComment) {
        for (let line = piece.line; line <= piece.endLine; line++) code.add(line);
        continue;
      }
      const before = comments.at(-1);
      const isAlone = !code.has(piece.line);
      const continues = isAlone && before?.isAlone && before.endLine === piece.line - 1;
      if (continues && [before, piece].every(({ text }) => text.startsWith('//'))) {
        before.text += `\n${piece.text}`;
        before.endLine = piece.endLine;
      } else comments.push({ ...piece, isAlone });
    }
    return { comments: comments.map(({ line, text }) => ({ line, text: withoutMarks(text) })), codeLines: code.size };
  };
}

/** The tokens and comments of a source. Blank lines of a template are left out. */
function* piecesOf(source: string, { SyntaxKind: kinds, createScanner }: Typescript): Generator<Piece> {
  const scanner = createScanner(false, 0, source);
  const comments: ReadonlySet<number> = new Set([kinds.SingleLineCommentTrivia, kinds.MultiLineCommentTrivia]);
  const blanks: ReadonlySet<number> = new Set([kinds.NewLineTrivia, kinds.WhitespaceTrivia]);
  const templates: number[] = [];
  let [last, braces, line] = ['', 0, 1];
  for (let kind = scanner.scan(); kind !== kinds.EndOfFile; kind = scanner.scan()) {
    // The scanner leaves regular expressions and the ends of templates to the parser.
    const isDivision = ENDS_OPERAND.test(last) && !BEFORE_OPERAND.test(last);
    if ((kind === kinds.SlashToken || kind === kinds.SlashEqualsToken) && !isDivision) scanner.reScanSlashToken();
    else if (kind === kinds.TemplateHead) templates.push(braces);
    else if (kind === kinds.OpenBraceToken) braces++;
    else if (kind === kinds.CloseBraceToken && templates.at(-1) !== braces) braces--;
    else if (kind === kinds.CloseBraceToken && scanner.reScanTemplateToken(false) === kinds.TemplateTail)
      templates.pop();

    const isComment = comments.has(kind);
    const lines = scanner.getTokenText().split('\n');
    if (isComment) yield { text: lines.join('\n'), isComment, line, endLine: line + lines.length - 1 };
    else if (!blanks.has(kind)) {
      for (const [index, text] of lines.entries()) {
        if (text.trim() !== '') yield { text, isComment, line: line + index, endLine: line + index };
      }
      last = /[\w$#]+$|\+\+$|--$|.$/.exec(lines.at(-1) ?? '')?.[0] ?? '';
    }
    line += lines.length - 1;
  }
}

function withoutMarks(comment: string): string {
  const lines = comment.replace(/^\/\*\*?|\*\/$/g, '').split('\n');
  return lines
    .map((line) => line.replace(/^\s*(?:\/\/|\*(?!\/))?/, '').trim())
    .join(' ')
    .trim();
}
