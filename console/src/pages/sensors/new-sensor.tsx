import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { t } from '../../language';
import { go } from '../../router';
import { DataFileField } from '../../ui/file-field';
import { Field, Form, Select } from '../../ui/form';
import { say } from '../../ui/toast';
import { FileReading, isReady, Progress } from '../upload/file-reading';
import { storeFile } from '../upload/store';
import { type Reading, useReading } from '../upload/use-reading';
import { KINDS } from './value-kinds';

/** Creates a sensor, optionally with the data of a file, and opens it. */
export function NewSensor({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [device, setDevice] = useState('');
  const [unit, setUnit] = useState('');
  const [kind, setKind] = useState('float');
  const [isChosen, setChosen] = useState(false);
  const [sent, setSent] = useState<number>();
  const reading = useReading();
  const { file, understanding } = reading;
  // The values of a file determine the kind and the unit.
  const unitOfFile = unitIn(reading);
  useEffect(() => {
    if (understanding) setKind(understanding.kind);
    if (unitOfFile) setUnit(unitOfFile);
  }, [understanding?.kind, unitOfFile]);
  /** The sensor takes the name of the file, unless the user has typed one. */
  const named = useRef('');
  const take = async (chosen: File | undefined) => {
    setChosen(chosen !== undefined);
    if (!(await reading.take(chosen)) || !chosen) return;
    const before = named.current;
    named.current = chosen.name.replace(/\.\w+$/, '');
    setName((now) => (now === '' || now === before ? named.current : now));
  };
  const create = useCreateOnce();
  const submit = async () => {
    const id = await create({ name, data_type: kind, device_type: device, unit, field_units: fieldUnitsIn(reading) });
    if (file && understanding) {
      setSent(0);
      try {
        say(await storeFile(id, file, understanding, setSent));
      } finally {
        setSent(undefined);
      }
    }
    close();
    go(`/sensors/${id}`);
  };
  const label = sent === undefined ? t('Create') : t('{sent} of {n} sent …', { sent, n: understanding?.points ?? 0 });
  return (
    <Form label={label} submit={submit} onCancel={close} ready={!isChosen || isReady(reading)}>
      <Field label={t('Name')} value={name} onValue={setName} placeholder={t('Living room')} required maxLength={255} />
      <DataFileField label={t('Data')} optional onFile={(chosen) => void take(chosen)} />
      <FileReading reading={reading} />
      <Select label={t('Values')} value={kind} onValue={setKind} options={KINDS} hint={kindHint(reading)} />
      {kind === 'float' && <Field label={t('Unit')} value={unit} onValue={setUnit} placeholder="°C" maxLength={32} />}
      <Field
        label={t('Model of the device')}
        hint={t('Optional, BME280 for instance.')}
        value={device}
        onValue={setDevice}
      />
      {sent !== undefined && <Progress sent={sent} points={understanding?.points ?? 0} />}
    </Form>
  );
}

type NewSensorFields = Record<'name' | 'data_type' | 'device_type' | 'unit', string> & {
  field_units: Record<string, string>;
};

/** If an upload fails, the next try uses the sensor that already exists. */
function useCreateOnce(): (sensor: NewSensorFields) => Promise<string> {
  const made = useRef<string | undefined>(undefined);
  return async (sensor) => {
    const id = made.current;
    const body = { sensor };
    const answer = ask(
      id === undefined ? api.post('/sensors', { body }) : api.put('/sensors/{id}', { params: { path: { id } }, body }),
    );
    const { sensor: saved } = await answer;
    made.current = saved.id;
    return saved.id;
  };
}

/** The unit behind the numbers of a file that has only these. */
function unitIn({ understanding }: Reading): string | undefined {
  return understanding?.kind === 'float' ? understanding.columns.find(({ unit }) => unit)?.unit : undefined;
}

/** The units behind the numbers of each column of a file whose columns are fields. */
function fieldUnitsIn({ understanding }: Reading): Record<string, string> {
  const columns = understanding?.kind === 'json' ? understanding.columns : [];
  return Object.fromEntries(
    columns.filter(({ unit }) => unit).map(({ name, unit }) => [name.replace(/^value\./, ''), unit]),
  );
}

function kindHint({ understanding }: Reading): string | undefined {
  return understanding?.kind === 'string' ? t('Triggers cannot compare text with numbers.') : undefined;
}
