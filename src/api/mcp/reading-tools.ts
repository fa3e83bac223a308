import { z } from 'zod';
import { type CallOperation, end, id, page, pageOf, start, type Tool, tool } from './tool';

const MOST_SENSORS = 25;
const MOST_POINTS = 100;
const INTERVALS = { minute: 60, hour: 3_600, day: 86_400, week: 604_800 } as const;

/** Sensors, their data, and reports on them. */
export const READING_TOOLS: readonly Tool[] = [
  tool({
    name: 'find_sensors',
    title: 'Find sensors',
    description: 'Lists sensors with their state and last value: all of them, or those with a name, labels or a state.',
    scope: 'read',
    input: {
      name: z.string().optional().describe('The exact name'),
      labels: z.record(z.string(), z.string()).optional().describe('Labels (metatags) that they must have, by name'),
      state: z.enum(['firing', 'silent', 'pending', 'ok']).optional().describe('What they do now'),
      page,
    },
    async run({ name, labels = {}, state, page: at = 0 }, { call }) {
      const metatags = Object.entries(labels).map(([metatag_name, value]) => [
        { metatag_name, operator: 'equal', value },
      ]);
      const names = name === undefined ? [] : [[{ sensor_property: 'name', operator: 'equal', value: name }]];
      const body = { filter: { metatag_statement_groups: metatags, sensor_statement_groups: names }, state };
      const query = { details: 'full', per_page: MOST_SENSORS, page: at, sensor_owner: 'all' };
      const found = await call('findSensors', { query, body });
      const sensors = found.sensors as Listed[]; // a view of the API
      const last = await lastValues(
        sensors.map((sensor) => String(sensor.id)),
        call,
      );
      const list = sensors.map((sensor) => ({ ...sensor, last: last.get(String(sensor.id)) }));
      return pageOf(list, at, MOST_SENSORS);
    },
  }),
  tool({
    name: 'read_data',
    title: 'Read data points',
    description: `The newest data points of a sensor, at most ${MOST_POINTS}, of the last time or of a range.`,
    scope: 'read',
    input: { sensor_id: id, start, end, limit: z.number().int().min(1).max(MOST_POINTS).optional() },
    async run({ sensor_id, start: from, end: to, limit = 50 }, { call }) {
      const query = { sort: 'DESC', per_page: limit, start_date: from, end_date: to };
      const { data } = await call('readData', { path: { id: sensor_id }, query });
      return { ...(await unitOf(sensor_id, call)), list: data };
    },
  }),
  tool({
    name: 'read_intervals',
    title: 'Read intervals',
    description: 'Mean, minimum, maximum and count of a sensor for each minute, hour, day or week of a range.',
    scope: 'read',
    input: {
      sensor_id: id,
      start: z.string().describe('The beginning: ISO 8601 with Z or an offset, or unix seconds'),
      end,
      interval: z.enum(['minute', 'hour', 'day', 'week']),
      page,
    },
    async run({ sensor_id, start: from, end: to, interval, page: at = 0 }, { call, timezone }) {
      const range = { start_date: from, end_date: to, page: at, per_page: MOST_POINTS };
      const query = { ...range, interval: INTERVALS[interval], aggregate: 'all', timezone };
      const { data } = await call('readData', { path: { id: sensor_id }, query });
      return { ...(await unitOf(sensor_id, call)), list: data };
    },
  }),
  tool({
    name: 'report_sensors',
    title: 'Report on sensors',
    description: 'Minimum, mean, maximum, time outside of limits, gaps and alerts of sensors, by day, week or month.',
    scope: 'read',
    input: {
      sensor_ids: z.array(id).min(1).max(20),
      start: z.string(),
      end: z.string(),
      by: z.enum(['day', 'week', 'month', 'range']).optional(),
    },
    async run({ sensor_ids, start: from, end: to, by }, { call, timezone }) {
      const query = { sensor_id: sensor_ids, start_date: from, end_date: to, by, timezone };
      const { reports } = await call('reportSensors', { query });
      return { list: reports };
    },
  }),
];

type Listed = Record<string, unknown>;

async function lastValues(ids: readonly string[], call: CallOperation): Promise<Map<string, Listed>> {
  if (ids.length === 0) return new Map();
  const { data } = await call('readSensorsData', { query: { sensor_id: ids, last: 'true' } });
  return new Map((data as Listed[]).map((point) => [String(point.sensor_id), point]));
}

async function unitOf(sensorId: string, call: CallOperation): Promise<Listed> {
  const { sensor } = await call('getSensor', { path: { id: sensorId } });
  const { id: sensor_id, name, unit, field_units } = sensor as Listed;
  return { sensor_id, name, unit, field_units };
}
