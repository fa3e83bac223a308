import type { Pool } from 'mysql2/promise';
import { EVENT_CATALOGUE, isEventName } from '../../events/event-catalogue';
import { showsAlert } from './alerts';
import type { DeliveryRow } from './attempt';
import type { EventNames } from './channels/channel';
import { readThingNames, type Thing } from './thing-names';

export function thingsOfEvent({
  event,
  subjectId,
  sourceId,
}: {
  event: string | null;
  subjectId: number | null;
  sourceId: number | null;
}): { subject: Thing | null; source: Thing | null } {
  if (event === null || !isEventName(event)) return { subject: null, source: null };
  const { subject, source } = EVENT_CATALOGUE[event];
  return {
    subject: subjectId === null ? null : { kind: subject, id: subjectId },
    source: sourceId === null || source === null ? null : { kind: source, id: sourceId },
  };
}

/** Reads the names that the owner may see. Undefined if the delivery shows none. */
export async function findEventNames(pool: Pool, row: DeliveryRow): Promise<EventNames | undefined> {
  if (row.event === null || !showsAlert(row)) return undefined;
  const things = thingsOfEvent({ event: row.event, subjectId: row.subject_id, sourceId: row.source_id });
  const nameOf = await readThingNames(pool, row.owner_id, [things.subject, things.source]);
  const [subject, source] = [nameOf(things.subject), nameOf(things.source)];
  return { ...(subject !== null && { subject }), ...(source !== null && { source }) };
}
