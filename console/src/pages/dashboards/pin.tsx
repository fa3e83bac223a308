import { useState } from 'preact/hooks';
import { freePlace } from '../../dashboards/grid';
import { NEW_TILE, SIZES } from '../../dashboards/source';
import { t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { Choices, Field, Form, Select } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { create, type Dashboard, loadDashboards, save } from './load';

const NEW = '';
const MOST_SENSORS = 6;

/** Adds a tile with the chart or the latest value of sensors to a dashboard. */
export function PinButton({ sensors, range }: { sensors: readonly string[]; range: number | undefined }) {
  return (
    <DialogButton text={t('Pin to a dashboard')} title={t('Pin to a dashboard')} kind="small-button">
      {(close) => <Pin sensors={sensors.slice(0, MOST_SENSORS)} range={range} close={close} />}
    </DialogButton>
  );
}

function Pin({ sensors, range, close }: { sensors: string[]; range: number | undefined; close: () => void }) {
  const dashboards = useResource('dashboards to pin to', loadDashboards);
  return <Loaded resource={dashboards}>{(list) => <PinForm {...{ list, sensors, range, close }} />}</Loaded>;
}

interface PinProps {
  list: readonly Dashboard[];
  sensors: string[];
  range: number | undefined;
  close: () => void;
}

function PinForm({ list, sensors, range, close }: PinProps) {
  const [chosen, choose] = useState(list[0]?.id ?? NEW);
  const [name, setName] = useState('');
  const [kind, setKind] = useState<'chart' | 'value'>('chart');
  const submit = async () => {
    const period = Math.min(31_622_400, Math.max(600, Math.round(range ?? NEW_TILE.range ?? 0)));
    const shown = kind === 'value' ? sensors.slice(0, 1) : sensors;
    const tile = { ...NEW_TILE, kind, sensors: shown, range: period, ...SIZES[kind] };
    const known = list.find(({ id }) => id === chosen);
    const saved = known
      ? await save(known, [...known.tiles, { ...tile, ...freePlace(known.tiles, tile) }])
      : await create(name, [tile]);
    say(t('Pinned to “{name}”.', { name: saved.name }));
    close();
  };
  return (
    <Form label={t('Pin')} onCancel={close} submit={submit} ready={chosen !== NEW || name.trim() !== ''}>
      <Choices
        label={t('Kind')}
        value={kind}
        options={[
          ['chart', t('Chart')],
          ['value', t('Value')],
        ]}
        onValue={setKind}
      />
      {list.length > 0 && (
        <Select
          label={t('Dashboard')}
          value={chosen}
          onValue={choose}
          options={[...list.map((one): [string, string] => [one.id, one.name]), [NEW, t('New dashboard')]]}
        />
      )}
      {chosen === NEW && (
        <Field label={t('Name of the new dashboard')} value={name} onValue={setName} maxLength={255} />
      )}
    </Form>
  );
}
