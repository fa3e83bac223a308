import type { History } from '../history';
import { judgeConditions } from './conditions';
import { judgeEndings, judgeFirings, judgeLeases, judgePauses, judgePermits, judgeRequests } from './deliveries';
import { judgeEpisodes, judgeResolved } from './episodes';
import { judgeInactivities } from './inactivities';
import { judgeEventOrder, judgeOrder } from './order';
import { judgeMinutes, judgePoints, judgeServerDates, judgeUploads } from './points';

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
  judgeResolved,
  judgeWaiting,
];

/** All violations of the platform's promises in a simulation. */
export function judge(history: History): string[] {
  return JUDGES.flatMap((judgement) => judgement(history));
}

/** Nothing waits at the end. */
function judgeWaiting({ rows, cameToRest, steps }: History): string[] {
  const waiting = ['inbox_batches', 'events', 'parked_deliveries'].flatMap((table) => {
    const count = rows(table).length;
    return count === 0 ? [] : [`${count} rows still wait in ${table}`];
  });
  return cameToRest ? waiting : [`not at rest after ${steps} steps`, ...waiting];
}
