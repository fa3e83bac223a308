import { parseUrl } from '../../platform/parse-url';
import { PRESETS } from '../presets';

export interface LabelledNotification {
  type: string;
  name: string | null;
  preset: string | null;
  destination: string;
}

/** People recognize a notification by its name, or else by its destination. Holds no secret. */
export function labelOf({ type, name, preset, destination }: LabelledNotification): string {
  if (name !== null && name !== '') return name;
  if (type === 'push') return 'a browser';
  if (type !== 'url') return destination;
  const host = parseUrl(destination)?.host ?? 'a URL';
  const title = PRESETS.find((one) => one.name === preset)?.title;
  return title === undefined ? host : `${title} · ${host}`;
}
