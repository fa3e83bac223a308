import { whyTooLong } from '../../edge/longest-line';
import { parseExactJson } from '../../platform/exact-json';
import { parseJsonInSteps } from '../../platform/json-in-steps';
import type { Steps } from '../../platform/steps';
import { MAX_CELLS, MAX_LINES, tooMany, type UploadedLine, WrongLine } from './uploaded-lines';

/** Reads a JSON object from each line. Throws WrongLine. */
export function* readJsonLines(text: string): Steps<UploadedLine[]> {
  const lines: UploadedLine[] = [];
  for (const { line, content } of rowsOf(text)) {
    yield;
    if (content.trim() === '') continue;
    if (lines.length >= MAX_LINES) throw tooMany(line);
    const point = yield* parseJsonLine(content);
    if (typeof point !== 'object' || point === null || Array.isArray(point)) {
      throw new WrongLine(line, 'is not a JSON object');
    }
    lines.push({ line, point: { ...point } });
  }
  return lines;
}

function* rowsOf(text: string): Generator<{ line: number; content: string }> {
  let line = 1;
  for (let at = 0; at < text.length; line += 1) {
    if (line > MAX_CELLS) throw new WrongLine(line, `is beyond the ${MAX_CELLS} lines that a request contains at most`);
    const lineBreak = text.indexOf('\n', at);
    const end = lineBreak < 0 ? text.length : lineBreak;
    const why = whyTooLong(end - at);
    if (why !== null) throw new WrongLine(line, why);
    yield { line, content: text.slice(at, end) };
    at = end + 1;
  }
}

/** Undefined for no JSON. */
function* parseJsonLine(text: string): Steps<unknown> {
  try {
    return yield* parseJsonInSteps(text, parseExactJson);
  } catch {
    return undefined;
  }
}
