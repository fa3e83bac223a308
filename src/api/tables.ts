import type { FiringView, NoiseRowView } from '../alerts';
import type { AuditRecordView } from '../audit';
import type { DeliveryView } from '../notifications';
import type { ListedSensorView, ReportedPeriodView, SensorReportView } from '../sensors';

export type Cell = string | number | boolean | null | undefined;
type Row = Readonly<Record<string, Cell>>;

/** A list that is also CSV. */
export interface Table {
  /** The name of the file. */
  name: string;
  /** The key of the answer. */
  list: string;
  perPage: number;
  columns: readonly string[];
  /** Columns of unix seconds. */
  dates: ReadonlySet<string>;
  rowsOf(item: unknown): Row[];
}

const MANY = 1_000;
/** A report reads the points of its sensors. */
const FEW = 10;

function tableOf<T>(
  table: Omit<Table, 'columns' | 'dates' | 'rowsOf'>,
  columns: string,
  rowsOf: (item: T) => Row[],
): Table {
  const names = columns.split(' ');
  return {
    ...table,
    columns: names.map((name) => name.replace('@', '')),
    dates: new Set(names.flatMap((name) => (name.startsWith('@') ? [name.slice(1)] : []))),
    rowsOf: rowsOf as Table['rowsOf'], // the items of this operation
  };
}

export const SENSORS = tableOf<ListedSensorView>(
  { name: 'sensors', list: 'sensors', perPage: MANY },
  'id name display_name unit data_type device_type state @state_since expected_interval use_data_storage owner ' +
    'device environment',
  ({ owner, device, environment, ...sensor }) => [
    {
      ...{ ...sensor, data_structure: undefined, field_units: undefined, users: undefined },
      ...{ owner: owner?.username, device: device?.type, environment: environment?.name },
    },
  ],
);

export const FIRINGS = tableOf<FiringView>(
  { name: 'alerts', list: 'firings', perPage: MANY },
  '@date state severity sensor_id sensor_name trigger_id trigger_name reason value @ended @acknowledged ' +
    'acknowledged_by note assigned_to owner muted id',
  ({ variables, acknowledged, assigned, owner_username, ...firing }) => [
    {
      ...{ ...firing, muted_now: undefined, held_by: undefined, value: numberOr(variables.sensor_data_value) },
      ...{ acknowledged: acknowledged?.date, acknowledged_by: acknowledged?.user_id, note: acknowledged?.note },
      ...{ assigned_to: assigned?.username, owner: owner_username },
    },
  ],
);

export const DELIVERIES = tableOf<DeliveryView & { attempts: readonly { error: string }[] }>(
  { name: 'deliveries', list: 'deliveries', perPage: MANY },
  '@created status type destination sensor_id sensor_name trigger_id trigger_name event text @sent @answered ' +
    'attempts error @next_attempt id',
  ({ timing, attempts, waiting, ...delivery }) => [
    {
      ...{ ...delivery, sent: timing.sent, answered: timing.answered },
      ...{ attempts: attempts.length, error: waiting ? waiting.reason : attempts.at(-1)?.error },
    },
  ],
);

export const REPORTS = tableOf<SensorReportView>(
  { name: 'report', list: 'reports', perPage: FEW },
  'sensor_id sensor_name @start @end points field unit count minimum mean maximum outside limits gaps gap_seconds ' +
    'availability alerts acknowledged acknowledged_by',
  ({ periods, sensor_id, sensor_name }) =>
    periods.flatMap((period) => reportRows(period).map((row) => ({ sensor_id, sensor_name, ...row }))),
);

export const NOISE = tableOf<NoiseRowView>(
  { name: 'alert-report', list: 'rows', perPage: MANY },
  'id name episodes firings deliveries at_night acknowledged median_to_acknowledge median_duration ended_alone',
  ({ durations: _durations, ...row }) => [row],
);

export const AUDIT = tableOf<AuditRecordView>(
  { name: 'history', list: 'records', perPage: MANY },
  'sequence @date user_id username by by_name rule_set address action refused times subject_kind subject_id ' +
    'subject_name changed hash',
  ({ who, by, subject, changed, references: _references, previous: _previous, ...record }) => [
    {
      ...{ ...record, user_id: who?.id, username: who?.username, by: by.kind, by_name: by.name },
      ...{ rule_set: by.rule_set, subject_kind: subject?.kind, subject_id: subject?.id, subject_name: subject?.name },
      changed: JSON.stringify(changed),
    },
  ],
);

function reportRows({ count, values, limits, acknowledged_by, ...period }: ReportedPeriodView): Row[] {
  const shown = {
    ...{ ...period, points: count, acknowledged_by: acknowledged_by.join(', ') },
    limits: limits.map(({ trigger_name, seconds }) => `${trigger_name}: ${seconds} s`).join(', '),
  };
  return values.length === 0 ? [shown] : values.map((numbers) => ({ ...shown, ...numbers }));
}

function numberOr(text: string | null): Cell {
  return text === null || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text);
}
