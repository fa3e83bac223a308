import { useEffect, useRef } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { Action } from '../../ui/action';
import { say } from '../../ui/toast';

type Delivery = Records['DeliveryView'];

const LOOK_MS = 700;
/** How long a test is awaited. Receivers have ten seconds to answer. */
const LONGEST_MS = 15_000;

/** Sends a test, and shows its result; `reload` updates the notification. */
export function TestButton({
  notification: { id, destination },
  reload,
}: {
  notification: Pick<Records['NotificationView'], 'id' | 'destination'>;
  reload: () => void;
}) {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  const test = async () => {
    const { delivery } = await ask(api.post('/notifications/{id}/test', { params: { path: { id } } }));
    reload();
    const until = performance.now() + LONGEST_MS;
    let result = resultOf(delivery);
    while (!result && isHere.current && performance.now() < until) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      const { delivery: now } = await ask(api.get('/deliveries/{id}', { params: { path: { id: delivery.id } } }));
      result = resultOf(now);
    }
    if (isHere.current) reload();
    say(result ?? 'The test is still on its way: its last delivery will show how it went.');
  };
  return (
    <Action kind="small-button" label={`Send a test to ${destination}`} act={test}>
      Test
    </Action>
  );
}

/** The result of a test; undefined before the first attempt. */
function resultOf({ status, attempts }: Delivery): string | undefined {
  if (status === 'delivered') return 'The test was delivered.';
  const error = attempts.at(-1)?.error;
  if (error) return `The test failed: ${error}`;
  return status === 'failed' ? 'The test failed.' : undefined;
}
