import type { History } from '../history';
import { judgeConditions } from './conditions';
import { judgeEndings, judgeFirings, judgeLeases, judgePauses, judgePermits, judgeRequests } from './deliveries';
import { judgeDependencies } from './dependencies';
import { judgeEpisodes, judgeResolved } from './episodes';
import { judgeEscalations } from './escalations';
import { judgeFleets } from './fleets';
import { judgeInactivities } from './inactivities';
import { judgeEventOrder, judgeOrder } from './order';
import { judgeMinutes, judgePoints, judgeServerDates, judgeUploads } from './points';
import { judgeSelectors } from './selectors';

const JUDGES: readonly ((history: History) => string[])[] = [
  judgeUploads,
  judgeServerDates,
  judgePoints,
  judgeOrder,
  judgeEventOrder,
  judgeMinutes,
  judgeFirings,
  judgeEndings,
  judgeLeases,
  judgePauses,
  judgeRequests,
  judgePermits,
  judgeInactivities,
  judgeConditions,
  judgeEpisodes,
  judgeEscalations,
  judgeSelectors,
  judgeResolved,
  judgeDependencies,
  judgeFleets,
  judgeWaiting,
];

/** All violations of the platform's promises in a simulation. */
export function judge(history: History): string[] {
  return JUDGES.flatMap((judgement) => judgement(history));
}

/** Nothing waits at the end. */
function judgeWaiting({ rows, cameToRest, steps }: History): string[] {
  const isFollowing = rows('selector_owners').some((row) => row.watched === 1 && row.version !== null);
  const following = isFollowing ? ['the selectors have not followed'] : [];
  const waiting = ['inbox_batches', 'events', 'throttled_deliveries'].flatMap((table) => {
    const count = rows(table).length;
    return count === 0 ? [] : [`${count} rows still wait in ${table}`];
  });
  const all = [...waiting, ...following];
  return cameToRest ? all : [`not at rest after ${steps} steps`, ...all];
}
