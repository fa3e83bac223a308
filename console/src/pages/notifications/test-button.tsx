import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { nameOf } from '../../destination';
import { Action } from '../../ui/action';

type Test = Records['TestView'];

const LONGEST = 200;
export const WAITING = 'Waiting for the answer…';

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
    setResult(WAITING);
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
      <Action kind="small-button" label={`Send a test to ${nameOf(target)}`} act={test}>
        Test
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
      return answer ? `The test was delivered: ${code}: ${answer}` : 'The test was delivered.';
    case 'handed_over':
      return 'The mail server took the test.';
    case 'failed':
      return `The test failed: ${code !== null && answer ? `${code}: ${answer}` : error}`;
    case 'pending':
      return 'The test is still on its way: its last delivery will show how it went.';
  }
}

function shortened(answer: string): string {
  const line = answer.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}
