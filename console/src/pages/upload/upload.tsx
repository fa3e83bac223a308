import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { formatCount, formatMany } from '../../format';
import { DataFileField } from '../../ui/file-field';
import { Choices, Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';
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
        label="What to upload"
        value={way}
        onValue={setWay}
        options={[
          ['file', 'A CSV file'],
          ['value', 'One value'],
        ]}
      />
      {way === 'file' ? <FileForm sensor={sensor} close={close} /> : <ValueForm sensor={sensor} close={close} />}
    </>
  );
}

function FileForm({ sensor, close }: UploadProps) {
  const reading = useReading();
  const [sent, setSent] = useState<number>();
  const { file, understanding } = reading;
  const points = understanding?.points ?? 0;
  const submit = async () => {
    if (!file || !understanding) throw new Error('Choose a file first.');
    setSent(0);
    try {
      say(await storeFile(sensor.id, file, understanding, setSent));
    } finally {
      setSent(undefined);
    }
    close();
  };
  const label = points > 0 ? `Upload ${formatMany(points, 'point')}` : 'Upload';
  return (
    <Form
      label={sent === undefined ? label : `${formatCount(sent)} of ${formatCount(points)} sent …`}
      submit={submit}
      onCancel={close}
      ready={isReady(reading)}
    >
      <DataFileField label="File" onFile={(chosen) => void reading.take(chosen)} />
      <FileReading reading={reading} dataType={sensor.data_type} />
      {sent !== undefined && <Progress sent={sent} points={points} />}
    </Form>
  );
}

function ValueForm({ sensor: { id }, close }: UploadProps) {
  const [value, setValue] = useState('');
  const submit = async () => {
    const data = { date: Date.now() / 1000, value };
    await ask(api.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } }));
    close();
  };
  return (
    <Form label="Send" submit={submit} onCancel={close}>
      <Field label="Value" value={value} onValue={setValue} hint="It gets the date of this moment." required />
    </Form>
  );
}
