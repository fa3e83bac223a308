import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { readFields } from '../../format';
import { t } from '../../language';
import { DialogButton } from '../../ui/dialog';
import { DurationField } from '../../ui/duration-field';
import { Check, Field, Form, Select } from '../../ui/form';
import { useResource } from '../../use-resource';
import { KINDS, kindOfSensor } from '../sensors/value-kinds';

type Sensor = Records['OwnedSensorView'];

/** Edits the names and units of a sensor, and whether it stores data. */
export function EditSensor({ sensor, onDone }: { sensor: Sensor; onDone: () => void }) {
  return (
    <DialogButton text={t('Edit')} title={t('Edit the sensor')}>
      {(close) => (
        <Fields
          sensor={sensor}
          onCancel={close}
          onDone={() => {
            close();
            onDone();
          }}
        />
      )}
    </DialogButton>
  );
}

/** The maximum length of a unit. */
const UNIT_LENGTH = 32;

function Fields({ sensor, onDone, onCancel }: { sensor: Sensor; onDone: () => void; onCancel: () => void }) {
  const [name, setName] = useState(sensor.name);
  const [shown, setShown] = useState(sensor.display_name);
  const [device, setDevice] = useState(sensor.device_type);
  const [kind, setKind] = useState<string>(kindOfSensor(sensor.data_type) ?? sensor.data_type);
  const [unit, setUnit] = useState(sensor.unit);
  const [units, setUnits] = useState<Readonly<Record<string, string>>>(sensor.field_units);
  const [expected, setExpected] = useState(String(sensor.expected_interval ?? ''));
  const [stores, setStores] = useState(sensor.use_data_storage);
  const submit = async () => {
    // Another spelling of the same kind does not change it.
    const isSame = kind === (kindOfSensor(sensor.data_type) ?? sensor.data_type);
    const changes = {
      name,
      display_name: shown,
      device_type: device,
      unit: unit || null,
      field_units: Object.fromEntries(Object.entries(units).filter(([, one]) => one !== '')),
      expected_interval: expected === '' ? null : Number(expected),
      use_data_storage: stores,
      ...(!isSame && { data_type: kind }),
    };
    await ask(api.put('/sensors/{id}', { params: { path: { id: sensor.id } }, body: { sensor: changes } }));
    onDone();
  };
  return (
    <Form label={t('Save')} submit={submit} onCancel={onCancel}>
      <Field label={t('Name')} value={name} onValue={setName} required hint={t('The name for programs and groups.')} />
      <Field label={t('Shown as')} value={shown} onValue={setShown} hint={t('Optional. The name that people see.')} />
      {/* Of a virtual sensor, it names the kind of its service. */}
      {sensor.type !== '2' && <Field label={t('Model of the device')} value={device} onValue={setDevice} />}
      <Select
        label={t('Values')}
        value={kind}
        onValue={setKind}
        options={kindsWith(kind)}
        hint={t('How rules read them. Stored values do not change.')}
      />
      <Units id={sensor.id} {...{ kind, unit, setUnit, units, setUnits }} />
      <Flow {...{ expected, setExpected, stores, setStores }} />
    </Form>
  );
}

interface FlowProps {
  expected: string;
  setExpected: (seconds: string) => void;
  stores: boolean;
  setStores: (stores: boolean) => void;
}

/** How often data comes, and whether it is kept. */
function Flow({ expected, setExpected, stores, setStores }: FlowProps) {
  return (
    <>
      <DurationField
        label={t('Data is expected at least every')}
        hint={t('After a longer time its state is “no data”. Empty: learned from its data.')}
        value={expected}
        onValue={setExpected}
      />
      <Check
        label={t('Keep data points')}
        checked={stores}
        onChecked={setStores}
        hint={t('Otherwise only triggers see them.')}
      />
    </>
  );
}

interface UnitsProps {
  id: string;
  /** The kind of the values. */
  kind: string;
  unit: string;
  setUnit: (unit: string) => void;
  units: Readonly<Record<string, string>>;
  setUnits: (units: Readonly<Record<string, string>>) => void;
}

/** The unit, or one for each field of the newest value and for fields that have one already. */
function Units({ id, kind, unit, setUnit, units, setUnits }: UnitsProps) {
  const latest = useResource(`fields of ${id}`, async (signal) => {
    const params = { path: { id }, query: { last: true } };
    return (await ask(api.get('/sensors/{id}/data', { params, signal }))).data[0]?.value ?? '';
  });
  const fields = Object.entries(readFields(latest.data ?? '') ?? {});
  const numeric = fields.filter(([, value]) => typeof value === 'number').map(([name]) => name);
  const names = [...new Set([...Object.keys(units), ...numeric])];
  if (names.length === 0 && kind === 'json') return <p class="hint">{t('Units can be set once there is a value.')}</p>;
  if (names.length === 0 && kind === 'boolean') {
    return (
      <Field
        label={t('Words for false and true')}
        value={unit}
        onValue={setUnit}
        placeholder={t('closed/open')}
        maxLength={UNIT_LENGTH}
      />
    );
  }
  if (names.length === 0) {
    return <Field label={t('Unit')} value={unit} onValue={setUnit} placeholder="°C" maxLength={UNIT_LENGTH} />;
  }
  return (
    <fieldset class="field">
      <legend class="label">{t('Units')}</legend>
      <div class="unit-fields">
        {names.map((name) => (
          <Field
            key={name}
            label={name}
            value={units[name] ?? ''}
            onValue={(one) => setUnits({ ...units, [name]: one })}
            maxLength={UNIT_LENGTH}
          />
        ))}
      </div>
    </fieldset>
  );
}

/** The kinds that people choose from, and one that a program has set. */
function kindsWith(kind: string): readonly (readonly [string, string])[] {
  return KINDS.some(([one]) => one === kind) ? KINDS : [...KINDS, [kind, kind || t('not given')] as const];
}
