import type { PresentFilter } from '../../rules/present-filter';
import type { Sql } from '../../storage/find-page';

/** How long a sensor must have been without data, unless the search says so. */
const INACTIVE_MS = 86_400_000;

const FIRES = '(st.episode_ms IS NOT NULL OR st.inactivity_episode_ms IS NOT NULL)';
const IS_PENDING = 'st.pending_since_ms IS NOT NULL';
const MATCHING = 'SELECT 1 FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id AND t.owner_id = ?';

/** ` AND ...` for sensors `s`: by the triggers of this user, and by the dates of the stored points. */
export function presentConditions({ state, inactiveForMs }: PresentFilter, userId: number, nowMs: number): Sql {
  const inactiveMs = inactiveForMs ?? (state === 'silent' ? INACTIVE_MS : undefined);
  const parts = [
    ...(state === undefined || state === 'silent' ? [] : [stateCondition(state, userId)]),
    ...(inactiveMs === undefined ? [] : [inactivityCondition(nowMs - inactiveMs)]),
  ];
  return {
    text: parts.map(({ text }) => ` AND ${text}`).join(''),
    values: parts.flatMap(({ values }) => values),
  };
}

function stateCondition(state: 'firing' | 'pending' | 'ok', userId: number): Sql {
  const exists = (condition: string) =>
    `EXISTS (${MATCHING} WHERE st.sensor_id = s.id AND st.active${condition && ` AND ${condition}`})`;
  switch (state) {
    case 'firing':
      return { text: exists(FIRES), values: [userId] };
    case 'pending':
      return { text: `${exists(IS_PENDING)} AND NOT ${exists(FIRES)}`, values: [userId, userId] };
    case 'ok':
      return { text: `${exists('')} AND NOT ${exists(`(${FIRES} OR ${IS_PENDING})`)}`, values: [userId, userId] };
  }
}

function inactivityCondition(sinceMs: number): Sql {
  const text = 'NOT EXISTS (SELECT 1 FROM data_points p WHERE p.sensor_id = s.id AND p.date_ms > ?)';
  return { text, values: [sinceMs] };
}
