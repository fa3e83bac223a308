import { useId, useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { formatCount } from '../../format';
import { Choices, Field, Form } from '../../ui/form';
import { say } from '../../ui/toast';
import { type NewPoint, readPoints } from './csv';

const BATCH = 5_000;
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
  const field = useId();
  const [file, setFile] = useState<File>();
  const [sent, setSent] = useState<number>();
  const submit = async () => {
    if (!file) throw new Error('Choose a file first.');
    const points = readPoints(await file.text());
    for (let from = 0; from < points.length; from += BATCH) {
      await send(id, points.slice(from, from + BATCH));
      setSent(Math.min(points.length, from + BATCH));
    }
    say(`${formatCount(points.length)} points uploaded.`);
    close();
  };
  return (
    <Form label={sent === undefined ? 'Upload' : `${formatCount(sent)} sent …`} submit={submit} onCancel={close}>
      <div class="field">
        <label for={field}>File</label>
        <input
          id={field}
          class="input"
          type="file"
          accept=".csv,.txt,.tsv,text/csv,text/plain"
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0])}
        />
        <span class="hint">
          A line for each point: a date (2026-11-22 14:30, ISO 8601 or unix seconds) and a value. Several columns make a
          JSON value with fields.
        </span>
      </div>
    </Form>
  );
}

function ValueForm({ id, close }: { id: string; close: () => void }) {
  const [value, setValue] = useState('');
  const submit = async () => {
    await send(id, [{ date: Date.now() / 1000, value }]);
    close();
  };
  return (
    <Form label="Send" submit={submit} onCancel={close}>
      <Field label="Value" value={value} onValue={setValue} hint="It gets the date of this moment." required />
    </Form>
  );
}

async function send(id: string, points: readonly NewPoint[]): Promise<void> {
  const data = points.map(({ date, value }) => ({ date: Math.round(date * 1000) / 1000, value }));
  await ask(api.post('/sensors/{id}/data', { params: { path: { id } }, body: { data } as never })); // read by a hand-written reader, which names what is wrong
}
