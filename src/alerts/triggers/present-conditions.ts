import type { PresentFilter, PresentState } from '../../edge/present-filter';
import { inactiveSql, newestDateSql } from '../../points';
import type { Sql } from '../../storage/find-page';
import { FIRES, IS_PENDING } from './present-states';

const MATCHING = 'SELECT 1 FROM sensor_triggers st JOIN triggers t ON t.id = st.trigger_id AND t.owner_id = ?';

export function presentConditions({ state, inactiveForMs }: PresentFilter, userId: number, nowMs: number): Sql {
  const parts = [
    ...(state === undefined ? [] : [stateCondition(state, userId, nowMs)]),
    ...(inactiveForMs === undefined ? [] : [inactivityCondition(nowMs - inactiveForMs)]),
  ];
  return {
    text: parts.map(({ text }) => ` AND ${text}`).join(''),
    values: parts.flatMap(({ values }) => values),
  };
}

function stateCondition(state: PresentState, userId: number, nowMs: number): Sql {
  const exists = (condition: string) =>
    `EXISTS (${MATCHING} WHERE st.sensor_id = s.id AND st.active${condition && ` AND ${condition}`})`;
  const inactive = inactiveSql(nowMs);
  switch (state) {
    case 'firing':
      return { text: exists(FIRES), values: [userId] };
    case 'silent':
      return { text: `NOT ${exists(FIRES)} AND ${inactive}`, values: [userId] };
    case 'pending':
      return { text: `${exists(IS_PENDING)} AND NOT ${exists(FIRES)} AND NOT ${inactive}`, values: [userId, userId] };
    case 'ok': {
      const text = `${exists('')} AND NOT ${exists(`(${FIRES} OR ${IS_PENDING})`)} AND NOT ${inactive}`;
      return { text, values: [userId, userId] };
    }
  }
}

function inactivityCondition(sinceMs: number): Sql {
  const text = `NOT COALESCE(${newestDateSql('s.id')} > ?, FALSE)`;
  return { text, values: [sinceMs] };
}
