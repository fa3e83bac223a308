import { useEffect, useRef } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { Action } from '../../ui/action';
import { say } from '../../ui/toast';

type Delivery = Records['DeliveryView'];

/** What became of a test. */
export interface TestResult {
  kind: 'good' | 'bad' | 'warn';
  text: string;
}

const LOOK_MS = 700;
/** Receivers have ten seconds to answer. */
const LONGEST_MS = 15_000;

/** Sends a test, and says what became of it. */
export function TestButton({
  notification: { id, destination },
  onResult,
}: {
  notification: Pick<Records['NotificationView'], 'id' | 'destination'>;
  onResult: (result: TestResult | undefined) => void;
}) {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const test = async () => {
    onResult(undefined);
    const { delivery } = await ask(api.post('/notifications/{id}/test', { params: { path: { id } } }));
    const until = performance.now() + LONGEST_MS;
    let result = resultOf(delivery);
    while (!result && isHere.current && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const { delivery: now } = await ask(api.get('/deliveries/{id}', { params: { path: { id: delivery.id } } }));
      result = resultOf(now);
    }
    const found = result ?? { kind: 'warn' as const, text: 'The test is still on its way: see Deliveries.' };
    if (isHere.current) onResult(found);
    say(found.text);
  };
  return (
    <Action kind="small-button" label={`Send a test to ${destination}`} act={test}>
      Test
    </Action>
  );
}

/** Undefined before the first attempt. */
function resultOf({ status, attempts }: Delivery): TestResult | undefined {
  if (status === 'delivered') return { kind: 'good', text: 'The test was delivered.' };
  const error = attempts.at(-1)?.error;
  if (error) return { kind: 'bad', text: `The test failed: ${error}` };
  return status === 'failed' ? { kind: 'bad', text: 'The test failed.' } : undefined;
}
