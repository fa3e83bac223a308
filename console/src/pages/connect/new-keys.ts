import { useEffect, useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { useUser, whenUserLeaves } from '../../session';
import type { Language } from './ways';

/** A key that was made in this window. */
export interface NewKey extends Pick<Records['NewKeyView'], 'id' | 'secret' | 'created'> {
  /** The language that its user has chosen. */
  language?: Language;
}

/**
 * Keys that were made in this window, by user and place: a sensor, or a way to bring data in. Their secrets are shown
 * until they are dismissed, and stored nowhere else.
 */
const keys = new Map<string, NewKey>();
const listeners = new Set<() => void>();
whenUserLeaves(() => keys.clear());

function notify(): void {
  for (const listener of listeners) listener();
}

/** Makes a key that can upload to this sensor, and nothing else. */
export async function makeSensorKey(userId: string, id: string, name: string, language?: Language): Promise<void> {
  await make(userId, placeOf(id), { name, scopes: ['data:write'], sensors: [id] }, language);
}

/** Makes a key that can store data and make sensors for what it names, and nothing else. */
export async function makeWayKey(userId: string, way: string, name: string): Promise<void> {
  await make(userId, way, { name, scopes: ['data:write', 'sensors:create'] });
}

async function make(userId: string, place: string, key: Records['NewKey'], language?: Language): Promise<void> {
  const { id, secret, created } = (await ask(api.post('/keys', { body: { key } }))).key;
  keys.set(`${userId} ${place}`, { id, secret, created, ...(language && { language }) });
  notify();
}

/** The place of the key of a sensor. */
export function placeOf(sensorId: string): string {
  return `sensor ${sensorId}`;
}

/** The new key of a place, and a function to dismiss it. */
export function useNewKey(place: string): { key: NewKey | undefined; putAway: () => void } {
  const user = useUser();
  const name = `${user.id} ${place}`;
  const [key, setKey] = useState(keys.get(name));
  useEffect(() => {
    const update = () => setKey(keys.get(name));
    listeners.add(update);
    update();
    return () => {
      listeners.delete(update);
    };
  }, [name]);
  const putAway = () => {
    keys.delete(name);
    notify();
  };
  return { key, putAway };
}
