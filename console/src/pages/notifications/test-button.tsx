import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { type PlainText, t } from '../../language';
import { Action } from '../../ui/action';

type Test = Records['TestView'];

const LONGEST = 200;
export const WAITING = 'Waiting for the answer …' satisfies PlainText;

/** Sends a test, and shows next to the button what the receiver answered; `reload` updates the notification. */
export function TestButton({
  notification: { id, ...target },
  reload,
}: {
  notification: Records['NotificationView'];
  reload: () => void;
}) {
  const [result, setResult] = useState('');
  const test = async () => {
    setResult(t(WAITING));
    try {
      const { test: answer } = await ask(api.post('/notifications/{id}/test', { params: { path: { id } } }));
      setResult(resultOf(answer));
      reload();
    } catch (error) {
      setResult('');
      throw error;
    }
  };
  return (
    <>
      <Action kind="small-button" label={t('Send a test to {name}', { name: nameOf(target) })} act={test}>
        {t('Test')}
      </Action>
      <span class="small breakable" role="status">
        {result}
      </span>
    </>
  );
}

/** The result of a test in words, with the receiver's answer. */
export function resultOf({ status, status_code: code, response, error }: Test): string {
  const answer = shortened(response ?? '');
  switch (status) {
    case 'delivered':
      return answer
        ? t('The test was delivered: {answer}', { answer: `${code}: ${answer}` })
        : t('The test was delivered.');
    case 'handed_over':
      return t('The mail server accepted the test.');
    case 'failed':
      return t('The test failed: {error}', { error: code !== null && answer ? `${code}: ${answer}` : error });
    case 'pending':
      return t('The test is still on its way. “Last delivery” will show the result.');
  }
}

function shortened(answer: string): string {
  const line = answer.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
