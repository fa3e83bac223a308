import { parseUrl } from '../../platform/parse-url';
import { PRESETS } from '../presets';

/** What a notification is recognised by. */
export interface LabelledNotification {
  type: string;
  name: string | null;
  preset: string | null;
  destination: string;
}

/** How people recognise a notification: its name, or else where it goes. Holds no secret. */
export function labelOf({ type, name, preset, destination }: LabelledNotification): string {
  if (name !== null && name !== '') return name;
  if (type === 'push') return 'a browser';
  if (type !== 'url') return destination;
  const host = parseUrl(destination)?.host ?? 'a URL';
  const title = PRESETS.find((one) => one.name === preset)?.title;
  return title === undefined ? host : `${title} · ${host}`;
}
