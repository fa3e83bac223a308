import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { many, t } from '../../language';
import { DataFileField } from '../../ui/file-field';
import { Choices, Field, Form } from '../../ui/form';
import { NumberField } from '../../ui/number-field';
import { say } from '../../ui/toast';
import { kindOfSensor } from '../sensors/value-kinds';
import { FileReading, isReady, Progress } from './file-reading';
import { storeFile } from './store';
import { useReading } from './use-reading';

type Way = 'file' | 'value';

interface UploadProps {
  sensor: Pick<Records['OwnedSensorView'], 'id' | 'data_type'>;
  close: () => void;
}

/** Uploads a file of dates and values, or one value by hand. Repeating an upload changes nothing. */
export function Upload({ sensor, close }: UploadProps) {
  const [way, setWay] = useState<Way>('file');
  return (
    <>
      <Choices<Way>
        label={t('What to upload')}
        value={way}
        onValue={setWay}
        options={[
          ['file', t('A file')],
          ['value', t('One value')],
        ]}
      />
      {way === 'file' ? <FileForm sensor={sensor} close={close} /> : <ValueForm sensor={sensor} close={close} />}
    </>
  );
}

function FileForm({ sensor, close }: UploadProps) {
  const reading = useReading(sensor.data_type);
  const [sent, setSent] = useState<number>();
  const { file, understanding } = reading;
  const points = understanding?.points ?? 0;
  const submit = async () => {
    if (!file || !understanding) throw new Error(t('Choose a file first.'));
    setSent(0);
    try {
      say(await storeFile(sensor.id, file, understanding, setSent));
    } finally {
      setSent(undefined);
    }
    close();
  };
  const label = points > 0 ? many(points, 'Upload {n} point', 'Upload {n} points') : t('Upload');
  return (
    <Form
      label={sent === undefined ? label : t('{sent} of {n} sent …', { sent, n: points })}
      submit={submit}
      onCancel={close}
      ready={isReady(reading)}
    >
      <DataFileField label={t('File')} onFile={(chosen) => void reading.take(chosen)} />
      <FileReading reading={reading} dataType={sensor.data_type} />
      {sent !== undefined && <Progress sent={sent} points={points} />}
    </Form>
  );
}

function ValueForm({ sensor: { id, data_type }, close }: UploadProps) {
  const [value, setValue] = useState('');
  // A comma in a number would make it a text.
  const ValueField = kindOfSensor(data_type) === 'float' ? NumberField : Field;
  const submit = async () => {
    const data = { date: Date.now() / 1000, value };
    await ask(api.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } }));
    close();
  };
  return (
    <Form label={t('Send')} submit={submit} onCancel={close}>
      <ValueField
        label={t('Value')}
        value={value}
        onValue={setValue}
        hint={t('It is stored with the current time.')}
        required
      />
    </Form>
  );
}
