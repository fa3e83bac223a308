// Fills tables by SQL with what the API would write, with few statements.
const DIGITS =
  '(SELECT 0 d UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5 UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)';
const SENSORS_PER_STATEMENT = 50_000;
const POINTS_PER_STATEMENT = 200_000;

/** A table `bench_numbers` with the numbers from 0 to 999,999. */
export async function makeNumbers(pool) {
  const [existing] = await pool.query("SHOW TABLES LIKE 'bench_numbers'");
  if (existing.length > 0) return;
  const names = ['a', 'b', 'c', 'd', 'e', 'f'];
  const sum = names.map((name, index) => `${10 ** index} * ${name}.d`).join(' + ');
  await pool.query('CREATE TABLE bench_numbers (n INT PRIMARY KEY)');
  await pool.query(
    `INSERT INTO bench_numbers SELECT ${sum} FROM ${names.map((name) => `${DIGITS} ${name}`).join(' JOIN ')} ORDER BY 1`,
  );
}

/** Sensors of an owner, with ids from the returned one on. */
export async function fillSensors(pool, ownerId, count) {
  await makeNumbers(pool);
  const [[{ last }]] = await pool.query('SELECT COALESCE(MAX(id), 0) AS last FROM sensors');
  const first = Number(last) + 1;
  for (const [from, to] of spans(count, SENSORS_PER_STATEMENT)) {
    await pool.query(
      `INSERT INTO sensors (id, owner_id, name, data_structure, created_ms)
       SELECT ? + n, ?, CONCAT('sensor ', n), '', 0 FROM bench_numbers WHERE n >= ? AND n < ?`,
      [first, ownerId, from, to],
    );
  }
  return first;
}

/**
 * Connects a trigger with each of these sensors, and a notification if there is one. With an `inactivity` in seconds they are
 * armed since `sinceMs`.
 */
export async function connectAll(pool, { first, count, trigger, notification, inactivity, sinceMs }) {
  const [since, due] = inactivity === undefined ? [null, null] : [sinceMs, sinceMs + inactivity * 1000];
  for (const [from, to] of spans(count, SENSORS_PER_STATEMENT)) {
    await pool.query(
      `INSERT INTO sensor_triggers (sensor_id, trigger_id, created_ms, inactive_since_ms, due_at_ms)
       SELECT ? + n, ?, 0, ?, ? FROM bench_numbers WHERE n >= ? AND n < ?`,
      [first, trigger, since, due, from, to],
    );
    if (!notification) continue;
    await pool.query(
      `INSERT INTO sensor_trigger_notifications (sensor_trigger_id, notification_id)
       SELECT id, ? FROM sensor_triggers WHERE trigger_id = ? AND sensor_id >= ? AND sensor_id < ?`,
      [notification, trigger, first + from, first + to],
    );
  }
  await pool.query('ANALYZE TABLE sensors, sensor_triggers, sensor_trigger_notifications');
}

/** Points of each of these sensors, every so many ms until `untilMs`; sensor by sensor. `onStep` gets how many there are. */
export async function fillPoints(pool, { first, sensors, each, everyMs, untilMs }, onStep = () => undefined) {
  await makeNumbers(pool);
  const some = Math.max(1, Math.floor(POINTS_PER_STATEMENT / each));
  for (const [from, to] of spans(sensors, some)) {
    for (const [start, end] of spans(each, POINTS_PER_STATEMENT)) {
      await pool.query(
        `INSERT INTO data_points (sensor_id, date_ms, value, delay_s)
         SELECT ? + s.n, ? + p.n * ?, CONCAT(20 + (s.n + p.n) % 10, '.5'), 1 FROM bench_numbers s STRAIGHT_JOIN bench_numbers p
         WHERE s.n >= ? AND s.n < ? AND p.n >= ? AND p.n < ? ORDER BY s.n, p.n`,
        [first, untilMs - each * everyMs, everyMs, from, to, start, end],
      );
    }
    onStep(to * each);
  }
  await pool.query('ANALYZE TABLE data_points');
}

function spans(count, step) {
  const starts = Array.from({ length: Math.ceil(count / step) }, (_, index) => index * step);
  return starts.map((start) => [start, Math.min(count, start + step)]);
}
