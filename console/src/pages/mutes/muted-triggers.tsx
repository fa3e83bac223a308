import { all, api, ask, type Records } from '../../api';
import { formatShort } from '../../format';
import { t } from '../../language';
import { href } from '../../router';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table';
import { useResource } from '../../use-resource';
import { sensorOf } from '../deliveries/summary';
import { useNames } from '../names';
import { Unmute } from '../sensor/triggers';

type Placed = Records['PlacedSensorTriggerView'];

/** The triggers that are muted on a sensor for a time, for example from the list of alerts; nothing without any. */
export function MutedTriggers() {
  const muted = useResource(
    'muted triggers',
    async () => {
      const placed = await all(
        async (query) => (await ask(api.get('/sensors/triggers', { params: { query } }))).triggers,
      );
      return placed.filter(({ muted_until: until }) => until !== null && until * 1000 > Date.now());
    },
    { everyMs: 15_000 },
  );
  const names = useNames();
  if (!muted.data || muted.data.length === 0) return null;
  return (
    <Section title={t('Muted alerts')}>
      <Table<Placed>
        caption={t('Muted alerts')}
        rows={muted.data}
        keyOf={({ id, sensor_id }) => `${sensor_id} ${id}`}
        columns={[
          {
            name: t('Trigger'),
            cell: ({ id, name, sensor_id }) => (
              <a class="strong" href={href(`/sensors/${sensor_id}/triggers/${id}`)}>
                {name}
              </a>
            ),
          },
          {
            name: t('Sensor'),
            cell: (one) => <a href={href(`/sensors/${one.sensor_id}`)}>{sensorOf(one.sensor_id, names)}</a>,
          },
          {
            name: t('When'),
            cell: ({ muted_until: until }) => t('until {date}', { date: formatShort(until ?? 0) }),
          },
          {
            name: t('Actions'),
            right: true,
            cell: (one) => <Unmute sensorId={one.sensor_id} trigger={one} onDone={muted.reload} />,
          },
        ]}
      />
    </Section>
  );
}
