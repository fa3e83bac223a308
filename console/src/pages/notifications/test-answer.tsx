import type { ComponentChildren } from 'preact';
import { api, ask, messageOf, sentence } from '../../api';
import { t } from '../../language';
import { resultOf, WAITING } from './test-button';

/** The result of a test in words. */
export interface Answer {
  text: string;
  kind: 'good' | 'warn' | 'error';
}

/** Sends a test, and waits for the receiver's answer. A test that is not sent has an answer as well: why. */
export async function sendTest(id: string): Promise<Answer> {
  try {
    const { test, delivery } = await ask(api.post('/notifications/{id}/test', { params: { path: { id } } }));
    const text = [sentence(resultOf(test)), test.status === 'failed' && afterFailure(delivery.status)];
    return { text: text.filter(Boolean).join(' '), kind: KINDS[test.status] };
  } catch (error) {
    return { text: `${t('No test was sent.')} ${messageOf(error)}`, kind: 'warn' };
  }
}

function afterFailure(status: string): string {
  return t(
    status === 'pending' ? 'The notification is saved, and the delivery is tried again.' : 'The notification is saved.',
  );
}

/** Shown until the answer has come. */
export const NO_ANSWER_YET: Answer = { text: t(WAITING), kind: 'warn' };

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
