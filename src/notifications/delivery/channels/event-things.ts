import { EVENT_CATALOGUE, type EventThing, isEventName } from '../../../events/event-catalogue';
import type { Words } from '../../../platform/words/words';
import type { DeliveryCause } from './channel';

export type EventCause = Extract<DeliveryCause, { kind: 'event' }>;

/** A sentence without a full stop. */
export function descriptionOf({ event }: Pick<EventCause, 'event'>, words: Words): string {
  return isEventName(event) ? words.said(EVENT_CATALOGUE[event].description) : words.t('Event {event}', { event });
}

/** Writes `sensor “hall”`, or `sensor 42` without a name. */
export function thingsOf(
  { event, subjectId, sourceId, names }: EventCause,
  words: Words,
): { subject?: string; source?: string } {
  const kinds = isEventName(event) ? EVENT_CATALOGUE[event] : { subject: null, source: null };
  const isOne = kinds.subject === kinds.source && subjectId === sourceId;
  return {
    ...(subjectId !== null && { subject: thingText(kinds.subject, subjectId, names?.subject, words) }),
    ...(sourceId !== null && !isOne && { source: thingText(kinds.source, sourceId, names?.source, words) }),
  };
}

function thingText(kind: EventThing | null, id: number, name: string | undefined, words: Words): string {
  const what = words.t(kind ?? 'number');
  return name === undefined ? `${what} ${id}` : words.t('{kind} “{name}”', { kind: what, name });
}
