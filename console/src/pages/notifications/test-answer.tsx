import type { ComponentChildren } from 'preact';
import { api, ask, messageOf } from '../../api';
import { resultOf } from './test-button';

/** The result of a test in words. */
export interface Answer {
  text: string;
  kind: 'good' | 'warn' | 'error';
}

/** Sends a test, and waits for the receiver's answer. A test that is not sent has an answer as well: why. */
export async function sendTest(id: string): Promise<Answer> {
  try {
    const { test } = await ask(api.post('/notifications/{id}/test', { params: { path: { id } } }));
    return { text: resultOf(test), kind: KINDS[test.status] };
  } catch (error) {
    return { text: `No test was sent. ${messageOf(error)}`, kind: 'warn' };
  }
}

const KINDS = { delivered: 'good', handed_over: 'good', failed: 'error', pending: 'warn' } as const;

/** The result of a test, with what to do next. */
export function TestAnswer({ answer: { text, kind }, children }: { answer: Answer; children?: ComponentChildren }) {
  return (
    <div class={`message ${kind} line spread`} role="status">
      <span class="breakable">{text}</span>
      {children}
    </div>
  );
}
