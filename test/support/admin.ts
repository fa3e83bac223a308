import assert from 'node:assert/strict';
import { buildProgram } from '../../src/admin/program';
import type { AdminAnswer } from './other-process';
import type { Platform } from './platform';

/** `npm run admin` in this process, which takes less time than one of its own: what it answers, and what it prints as JSON. */
export function adminOf(platform: Platform) {
  const admin = async (...args: string[]): Promise<AdminAnswer> => {
    const answer = { exitCode: -1, output: '', errors: '' };
    const program = buildProgram({
      readConfig: () => platform.container.config,
      buildContainer: () => platform.container,
      print: (text) => {
        answer.output += `${text}\n`;
      },
      complain: (text) => {
        answer.errors += `${text}\n`;
      },
    });
    answer.exitCode = await program.run(['node', 'admin', ...args]);
    return answer;
  };
  const json = async (...args: string[]) => {
    const answer = await admin('--json', ...args);
    assert.equal(answer.exitCode, 0, answer.errors);
    return JSON.parse(answer.output);
  };
  return { admin, json };
}
