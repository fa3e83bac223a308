import { useState } from 'preact/hooks';
import { formatCount } from '../../format';
import { DataFileField } from '../../ui/file-field';
import { Choices, Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';
import { readPoints } from './csv';
import { sendPoints } from './send-points';

type Way = 'file' | 'value';

/** Uploads a file of dates and values, or one value by hand. Sending the same again changes nothing. */
export function Upload({ id, close }: { id: string; close: () => void }) {
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
      {way === 'file' ? <FileForm id={id} close={close} /> : <ValueForm id={id} close={close} />}
    </>
  );
}

function FileForm({ id, close }: { id: string; close: () => void }) {
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const submit = async () => {
    if (!file) throw new Error('Choose a file first.');
    const points = readPoints(await file.text());
    await sendPoints(id, points, setSent);
    say(`${formatCount(points.length)} points uploaded.`);
    close();
  };
  return (
    <Form label={sent === undefined ? 'Upload' : `${formatCount(sent)} sent …`} submit={submit} onCancel={close}>
      <DataFileField label="File" onFile={setFile} />
    </Form>
  );
}

function ValueForm({ id, close }: { id: string; close: () => void }) {
  const [value, setValue] = useState('');
  const submit = async () => {
    await sendPoints(id, [{ date: Date.now() / 1000, value }]);
    close();
  };
  return (
    <Form label="Send" submit={submit} onCancel={close}>
      <Field label="Value" value={value} onValue={setValue} hint="It gets the date of this moment." required />
    </Form>
  );
}
