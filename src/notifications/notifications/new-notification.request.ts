import { InvalidInput } from '../../platform/errors';
import type { Words } from '../../platform/words/words';
import { PRESETS } from '../presets';
import type { PresetRequest } from '../presets/preset';
import { readPresetValues } from '../presets/preset-values';
import { type NewNotification, readNotification } from './notifications.request';
import { splitPreset } from './presets.request';

/** The fields that a preset fills, by their names in requests. */
const FILLED = [
  ...['destination', 'destination_resolved', 'method', 'headers', 'secrets', 'content_type', 'body', 'body_resolved'],
  ...['body_acknowledged', 'destination_acknowledged'],
] as const;

/** The fields that a notification with a preset may have next to the values of the preset. */
const OWN: ReadonlySet<string> = new Set([
  ...['type', 'text', 'name', 'person', 'format', 'digest', 'probe', 'enabled', 'ca_certificate', 'subscription'],
  ...FILLED,
]);

/** Reads a new notification; a preset fills its destination and request, with words of the owner's language. InvalidInput names the wrong field. */
export function readNewNotification(fields: NewNotification, words: Words) {
  const { preset, values, own } = splitPreset(fields);
  if (preset === null) {
    return { ...readNotification(own), type: given(own.type, 'type') };
  }
  if (own.type !== undefined && own.type !== 'url') throw refused('type', 'must be url with a preset');
  // A misspelled token would be missing from the request of a notification that otherwise works.
  const unknown = Object.keys(own).find((name) => !OWN.has(name));
  if (unknown !== undefined) throw refused(unknown, `is not a field of the preset ${preset}`);
  const filled: Partial<Record<string, unknown>> = own;
  const clash = FILLED.find((name) => filled[name] !== undefined && filled[name] !== null);
  if (clash) throw refused(clash, `is filled by the preset ${preset}`);
  const { destination, ...webhook } = requestOf(preset, values, words);
  const { webhook: others, ...rest } = readNotification(own);
  return { ...rest, type: 'url' as const, preset, destination, webhook: { ...others, ...webhook } };
}

function requestOf(name: string, values: Readonly<Record<string, string | undefined>>, words: Words): PresetRequest {
  const preset = PRESETS.find((one) => one.name === name);
  if (!preset) throw refused('preset', `must be one of ${PRESETS.map((one) => one.name).join(', ')}`);
  const read = readPresetValues(preset, values);
  if ('problem' in read) throw refused(read.problem.field, read.problem.error);
  return preset.fill(read.values, words);
}

function given<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw refused(name, 'is required without a preset');
  return value;
}

function refused(field: string, why: string): InvalidInput {
  return InvalidInput.field(`notification.${field}`, why);
}
