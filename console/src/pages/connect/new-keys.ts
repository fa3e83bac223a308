import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { useUser, whenUserLeaves } from '../../session';

type Sensor = Pick<Records['OwnedSensorView'], 'id'>;

/**
 * Secrets of keys that were made in this window, by user and sensor. They are shown until they are dismissed, and
 * stored nowhere else.
 */
const secrets = new Map<string, string>();
const listeners = new Set<() => void>();
whenUserLeaves(() => secrets.clear());

function notify(): void {
  for (const listener of listeners) listener();
}

/** Makes a key that can upload to this sensor, and nothing else. */
export async function makeKey(userId: string, { id }: Sensor, name: string): Promise<void> {
  const { key } = await ask(api.post('/keys', { body: { key: { name, scopes: ['data:write'], sensors: [id] } } }));
  secrets.set(`${userId} ${id}`, key.secret);
  notify();
}

/** The secret of the new key of a sensor, and a function to dismiss it. */
export function useNewKey({ id }: Sensor): { secret: string | undefined; putAway: () => void } {
  const user = useUser();
  const name = `${user.id} ${id}`;
  const [secret, setSecret] = useState(secrets.get(name));
  useEffect(() => {
    const update = () => setSecret(secrets.get(name));
    listeners.add(update);
    update();
    return () => {
      listeners.delete(update);
    };
  }, [name]);
  const putAway = () => {
    secrets.delete(name);
    notify();
  };
  return { secret, putAway };
}
