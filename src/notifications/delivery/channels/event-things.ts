import { EVENT_CATALOGUE, type EventThing, isEventName } from '../../../events/event-catalogue';
import type { DeliveryCause } from './channel';

export type EventCause = Extract<DeliveryCause, { kind: 'event' }>;

/** A sentence without a full stop. */
export function descriptionOf({ event }: Pick<EventCause, 'event'>): string {
  return isEventName(event) ? EVENT_CATALOGUE[event].description : `Event ${event}`;
}

/** Writes `sensor “hall”`, or `sensor 42` without a name. */
export function thingsOf({ event, subjectId, sourceId, names }: EventCause): { subject?: string; source?: string } {
  const kinds = isEventName(event) ? EVENT_CATALOGUE[event] : { subject: null, source: null };
  const isOne = kinds.subject === kinds.source && subjectId === sourceId;
  return {
    ...(subjectId !== null && { subject: thingText(kinds.subject, subjectId, names?.subject) }),
    ...(sourceId !== null && !isOne && { source: thingText(kinds.source, sourceId, names?.source) }),
  };
}

function thingText(kind: EventThing | null, id: number, name: string | undefined): string {
  return `${kind ?? 'number'} ${name === undefined ? id : `“${name}”`}`;
}
