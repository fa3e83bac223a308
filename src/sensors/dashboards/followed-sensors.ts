import type { RowDataPacket } from 'mysql2/promise';
import { filterConditions, selectPlannedSoon } from '../../access/metatag-conditions';
import { conditionsOf, type Selector } from '../../alerts';
import { InvalidInput } from '../../platform/errors';
import type { Reader } from '../../storage/read-pool';

const MOST_FOLLOWED = 10_000;

/** Own sensors by name. Throws InvalidInput if they are too many. */
export async function findFollowed(reads: Reader, ownerId: number, selector: Selector): Promise<number[]> {
  const { text, values } = filterConditions(conditionsOf(selector), selector.namespace, ownerId);
  const [rows] = await reads.query<RowDataPacket[]>(
    selectPlannedSoon(
      `s.id AS id FROM sensors s WHERE s.owner_id = ? ${text}
       ORDER BY COALESCE(NULLIF(s.display_name, ''), s.name), s.id LIMIT ${MOST_FOLLOWED + 1}`,
    ),
    [ownerId, ...values],
  );
  if (rows.length > MOST_FOLLOWED) {
    throw InvalidInput.field('tile', `follows more than ${MOST_FOLLOWED} sensors; give it a narrower search`);
  }
  return rows.map(({ id }) => Number(id));
}
