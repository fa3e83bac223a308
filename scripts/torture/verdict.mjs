// Compares the result with the expected one, using the rows, the received requests and the recorded incidents.
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { judgeAgents } from './agents.mjs';
import { judgeBroker } from './broker.mjs';
import { judgeCold } from './cold.mjs';
import { judgeDelays } from './delays.mjs';
import { judgeDisorder } from './disorder.mjs';
import { judgeDoors } from './doors.mjs';
import { judgeEpisodes } from './episodes.mjs';
import { judgeEscalations } from './escalations.mjs';
import { judgeMarkers, judgeStorms } from './firings.mjs';
import { judgeFleets } from './fleets.mjs';
import { judgeHeld } from './held.mjs';
import { judgeInactivities } from './inactivities.mjs';
import { describeFailuresAt, describeLosses } from './losses.mjs';
import { judgePoison } from './poison.mjs';
import { judgeSelected } from './selected.mjs';
import { judgeServed } from './served.mjs';
import { judgeShadows } from './shadows.mjs';
import { judgeUndated } from './undated.mjs';
import { judgeWatched } from './watched.mjs';

/** Maximum time from the due time of a delivery to its attempt. */
const ATTEMPTED_MS = 60_000;

/**
 * Waits until no point, event, delivery or selector is waiting, for at most `limitMs`; for at most `patienceMs` if a delivery has
 * a further attempt only then, because a receiver on a busy machine has failed more often than planned.
 */
export async function waitUntilQuiet(mysqlUrl, limitMs, patienceMs = limitMs) {
  const started = Date.now();
  const database = mysql.createPool({ uri: mysqlUrl, connectionLimit: 1 });
  try {
    for (;;) {
      const [rows] = await database
        .query(
          `SELECT COUNT(*) + (SELECT COUNT(*) FROM inbox_batches) + (SELECT COUNT(*) FROM events)
             + (SELECT COUNT(*) FROM selector_owners WHERE watched AND version IS NOT NULL)
             + (SELECT COUNT(*) FROM fleet_changes)
             + (SELECT COUNT(*) FROM fleets f JOIN selector_owners o ON o.owner_id = f.owner_id
                WHERE f.next_due_ms = 0 OR COALESCE(f.followed_version, '') <> o.latest_version) AS waiting,
             MAX(next_attempt_ms) AS nextAttemptMs FROM deliveries WHERE status = 'pending'`,
        )
        .catch(() => [[]]); // a node of a cluster may be away for a moment
      const { waiting = 1, nextAttemptMs } = rows[0] ?? {};
      const expectedMs = Math.max(limitMs, Number(nextAttemptMs ?? 0) + ATTEMPTED_MS - started);
      if (Number(waiting) === 0 || Date.now() > started + Math.min(expectedMs, patienceMs)) return;
      await sleep(500);
    }
  } finally {
    await database.end();
  }
}

/** Counts; every number in `faults` must be 0. */
export async function judge({ mysqlUrl, load, received, incidents, stalls, urls }) {
  const database = await mysql.createConnection({ uri: mysqlUrl, supportBigNumbers: true });
  const rows = async (sql, values) => (await database.query(sql, values))[0];
  try {
    const judged = await judgeEach(rows, { load, received, incidents, stalls });
    const { disorder, inactivities, doors, delays, selected, escalations, held } = judged;
    const steadyFailures = await describeFailuresAt(rows, urls.steady);
    return {
      figures: await figuresOf(rows, { load, received, judged, steadyFailures }),
      faults: { ...(await faultsOf(rows, load, judged)), ...judged.fleets.faults },
      delays: {
        'inactivity fired': inactivities.late,
        'the clock decided on a condition': doors.late,
        'a selector followed a metatag': selected.late,
        'escalations reached the receiver': escalations.late,
        'deliveries reached the steady receiver': delays.late,
      },
      remarks: [
        ...disorder.lines,
        ...judged.fleets.lines,
        ...inactivities.remarks,
        ...doors.remarks,
        ...selected.remarks,
        ...judged.shadows.remarks,
        ...escalations.remarks,
        ...held.remarks,
        ...judged.cold.remarks,
        ...(judged.poison?.remarks ?? []),
        ...delays.remarks,
        ...steadyFailures.lines,
        ...(await describeLosses(rows, urls)),
      ],
    };
  } finally {
    await database.end();
  }
}

async function figuresOf(rows, { load, received, judged, steadyFailures }) {
  const { inactivities, doors, events, episodes, served, fleets, shadows, selected, escalations, held, agents } =
    judged;
  return {
    points: pointsOf(load),
    ...(await countRows(rows)),
    ...countRequests(received),
    'changes of sensors': events.changes,
    'points counted by a service': served.count,
    'summaries of fleets': fleets.points,
    'firings of shadows': shadows.count,
    'points that shadows left out': shadows.untried,
    'episodes of alerts': episodes.count,
    'inactivity firings': inactivities.late.length,
    'firings and ends by the clock': doors.late.length,
    'changes of metatags for a selector': selected.changes,
    'episodes ended because a selector no longer matched': selected.ends,
    'names that agents reported': agents.names,
    'messages of the broker': load.broker.sent,
    'old points at the end': judged.cold.points,
    'uploads and deletions of old points': judged.cold.writes,
    'answers with old points that were compared': judged.cold.reads,
    'requests for old points without an answer': judged.cold.unanswered,
    'escalations sent': escalations.sent,
    'escalations acknowledged or ended before': escalations.calmed,
    'alerts that outlasted what held them': held.sent,
    'alerts that were held to their end': held.hidden,
    'attempts at the steady receiver that failed': steadyFailures.count,
  };
}

async function judgeEach(rows, { load, received, incidents, stalls }) {
  return {
    markers: await judgeMarkers(rows, load, received),
    disorder: await judgeDisorder(rows, load),
    gaps: await judgeStorms(rows, load),
    inactivities: await judgeInactivities(rows, load, incidents, stalls),
    doors: await judgeDoors(rows, load.doors, incidents, stalls),
    delays: await judgeDelays(rows, received, incidents, stalls),
    events: judgeWatched(load.watched, received),
    episodes: await judgeEpisodes(rows, load.alerts, received),
    served: await judgeServed(rows, load.served),
    fleets: await judgeFleets(rows, load.fleets),
    shadows: await judgeShadows(rows),
    undated: await judgeUndated(rows, load.undated),
    selected: await judgeSelected(rows, load.selected, received, { incidents, stalls }),
    escalations: await judgeEscalations(rows, load.escalations, received, { incidents, stalls }),
    held: await judgeHeld(rows, load.held),
    agents: await judgeAgents(rows, load.agents),
    broker: await judgeBroker(rows, load.broker),
    cold: await judgeCold(load.cold),
    poison: load.poison && (await judgePoison(rows, load.poison)),
  };
}

async function faultsOf(
  rows,
  load,
  {
    markers,
    disorder,
    gaps,
    inactivities,
    doors,
    delays,
    events,
    episodes,
    served,
    shadows,
    undated,
    selected,
    escalations,
    held,
    agents,
    broker,
    cold,
    poison,
  },
) {
  return {
    'points lost': await lostPoints(rows, load),
    'points not evaluated once and in order': disorder.wrong,
    'firings lost': markers.lost,
    'firings doubled': markers.doubled,
    'deliveries lost': markers.undelivered + (await countUndelivered(rows)),
    'deliveries doubled under another id': markers.doubledDeliveries,
    'firings less than a minute after the previous one': gaps,
    'episodes lost': episodes.lost,
    'episodes doubled': episodes.doubled,
    'episodes that did not end as they had to': episodes.wrong,
    'firings and ends of episodes not delivered once, or although muted': episodes.misdelivered,
    'ends of episodes delivered before their firing': episodes.disordered,
    'events lost': events.lost,
    'events doubled': events.doubled,
    'points that a service missed or counted twice': served.missed,
    ...{ ...shadows.faults, ...held.faults },
    'points without a date that were not evaluated': undated.missed,
    'inactivity too early': inactivities.early,
    'inactivity too late': inactivities.tooLate,
    'conditions decided too early': doors.early,
    'conditions decided too late': doors.tooLate,
    'sensors that a selector did not connect once, or disconnect': selected.unfollowed,
    'changes of metatags followed too late': selected.tooLate,
    'episodes of sensors that no longer matched, not ended with a delivery': selected.open,
    'lines acknowledged and missing': agents.lost,
    'lines stored twice': agents.doubled,
    'sensors and names of lines that are not one to one': agents.wrong,
    'messages of the broker acknowledged and missing': broker.lost,
    'messages of the broker never acknowledged': broker.waiting,
    'messages of the broker stored twice': broker.doubled,
    'answers with old points other than acknowledged': cold.wrong,
    ...(poison && {
      'work set aside that is no poison': poison.others,
      'users whose poison was not set aside': poison.missed,
      'harmless points of such users that have not fired': poison.unfired,
    }),
    'escalations and their ends not delivered as they had to': escalations.wrong,
    'escalations too early': escalations.early,
    'escalations too late': escalations.tooLate,
    'deliveries to the steady receiver too late': delays.tooLate,
  };
}

async function countRows(rows) {
  const [{ firings, deliveries }] = await rows(
    'SELECT (SELECT COUNT(*) FROM firings) AS firings, (SELECT COUNT(*) FROM deliveries) AS deliveries',
  );
  return { firings: Number(firings), deliveries: Number(deliveries) };
}

function countRequests(received) {
  return {
    'requests received': received.length,
    'requests repeated under the same id (allowed)': received.length - new Set(received.map(({ id }) => id)).size,
  };
}

async function countUndelivered(rows) {
  const [{ n }] = await rows("SELECT COUNT(*) AS n FROM deliveries WHERE status IN ('failed', 'pending')");
  return Number(n);
}

/** The sensors that send data. */
function sendersOf({
  counters,
  storms,
  inactive,
  alerts,
  served,
  undated,
  doors,
  labelled,
  located,
  selected,
  ...others
}) {
  return [
    ...counters,
    ...storms,
    ...inactive,
    ...alerts,
    ...served.sensors,
    ...undated,
    ...doors,
    ...labelled,
    ...located,
    ...selected.sensors,
    ...others.escalations,
    others.held.gateway,
    ...others.held.sensors,
  ];
}

/** The number of points sent so far. */
export function pointsOf(load) {
  const others = [load.agents, load.broker, ...load.cold];
  return [...sendersOf(load), ...others].reduce((sum, { sent }) => sum + sent, 0);
}

async function lostPoints(rows, load) {
  let lost = 0;
  for (const { id, sent, kind } of sendersOf(load)) {
    const [{ n, highest, points }] = await rows(
      'SELECT COUNT(DISTINCT value) AS n, MAX(value + 0) AS highest, COUNT(*) AS points FROM data_points WHERE sensor_id = ?',
      [id],
    );
    if (kind === 'door' || kind === 'located') lost += Math.max(0, sent - Number(points));
    else if (['counter', 'alert', 'served', 'undated'].includes(kind)) lost += Math.abs(sent - Number(n));
    else lost += Math.max(0, sent - Number(highest));
  }
  return lost;
}
