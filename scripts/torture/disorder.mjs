// Sensors that count, each with a trigger that fires only if a point is lost, doubled or out of order.

const MOST_SHOWN = 5;

/** The number of sensors that have not evaluated every point once and in order, with a line about each. */
export async function judgeDisorder(rows, { counters, triggers }) {
  const lines = [];
  let wrong = 0;
  for (const { id, sent } of counters) {
    const states = await rows(
      `SELECT trigger_id, last_data_value AS last, last_date_ms AS dateMs, times_triggered AS times, last_error AS error
       FROM sensor_triggers WHERE sensor_id = ?`,
      [id],
    );
    const sentinel = states.find(({ trigger_id }) => String(trigger_id) === String(triggers.sentinel));
    if (Number(sentinel.last) === sent && sentinel.times === 0 && sentinel.error === null) continue;
    wrong += 1;
    const firings = await rows(
      'SELECT fired_ms AS atMs, variables FROM firings WHERE sensor_id = ? AND trigger_id = ? ORDER BY id LIMIT ?',
      [id, triggers.sentinel, MOST_SHOWN],
    );
    const [{ waiting, buffered }] = await rows(
      'SELECT (SELECT COUNT(*) FROM inbox_batches) AS waiting, (SELECT COUNT(*) FROM write_behind_buffer) AS buffered',
    );
    lines.push(
      `sensor ${id} was sent ${sent}: ${JSON.stringify(states)}; ${waiting} batches in the inbox, ${buffered} rows in the write-behind buffer`,
      ...firings.map(({ atMs, variables }) => `  ${new Date(Number(atMs)).toISOString()} out of order: ${variables}`),
    );
  }
  return { wrong, lines };
}
