import { t } from '../../language';
import { Loading } from '../../ui/page';
import { type Column, type Order, Pages, Table } from '../../ui/table';
import type { Row, SensorColumn } from './columns';
import type { Sensor } from './load';
import { useRows } from './use-rows';

interface SensorTableProps {
  sensors: readonly Sensor[];
  columns: readonly SensorColumn[];
  /** The keys of the columns that are shown with the names. */
  keys: readonly string[];
  /** Columns on both sides of these. */
  before?: readonly Column<Row>[];
  after?: readonly Column<Row>[];
  order: Order;
  onOrder: (order: Order) => void;
  page: number;
  onPage: (page: number) => void;
  size: number;
  isCompact?: boolean;
}

/** A page of sensors with their present, in order. */
export function SensorTable({ sensors, columns, keys, before = [], after = [], ...shown }: SensorTableProps) {
  const { order, onOrder, page, onPage, size, isCompact } = shown;
  const rows = useRows(sensors, { columns, order, page, size, withDays: keys.includes('day') });
  if (!rows) return <Loading />;
  const own = columns.filter(({ key }) => key === 'name' || keys.includes(key));
  return (
    <>
      <Table<Row>
        caption={t('Sensors')}
        rows={rows}
        keyOf={({ sensor }) => sensor.id}
        columns={[
          ...before,
          ...own.map(({ key, sortBy, ...column }) => ({ ...column, ...(sortBy && { sort: key }) })),
          ...after,
        ]}
        {...{ order, onOrder }}
        {...(isCompact && { isCompact })}
      />
      <Pages {...{ page, size, onPage }} count={rows.length} total={sensors.length} />
    </>
  );
}
