import { useState } from 'preact/hooks';
import { api, ask, messageOf } from '../../api';
import { formatCount } from '../../format';
import { go } from '../../router';
import { DataFileField } from '../../ui/file-field';
import { Field, Form, Select } from '../../ui/form';
import { say } from '../../ui/toast';
import { kindOf, type NewPoint, readPoints } from '../sensor/csv';
import { sendPoints } from '../sensor/send-points';

const KINDS = [
  ['float', 'Numbers'],
  ['boolean', 'True or false'],
  ['string', 'Text'],
  ['json', 'Several fields (JSON)'],
] as const;

/** Creates a sensor, with the data of a file where one is given, and opens it. */
export function NewSensor({ close }: { close: () => void }) {
  const [name, setName] = useState('');
  const [device, setDevice] = useState('');
  const [kind, setKind] = useState('float');
  const [points, setPoints] = useState<readonly NewPoint[]>([]);
  const [problem, setProblem] = useState<unknown>();
  /** What a file is about is mostly in its name, and its values say what they are. */
  const take = async (file: File | undefined) => {
    setPoints([]);
    setProblem(undefined);
    if (!file) return;
    try {
      const found = readPoints(await file.text());
      setPoints(found);
      setKind(kindOf(found));
      if (!name) setName(file.name.replace(/\.\w+$/, ''));
    } catch (error) {
      setProblem(error);
    }
  };
  const submit = async () => {
    if (problem !== undefined) throw problem;
    const sensor = { name, data_type: kind, device_type: device };
    const { sensor: made } = await ask(api.post('/sensors', { body: { sensor } }));
    await sendPoints(made.id, points);
    if (points.length > 0) say(`${formatCount(points.length)} points uploaded.`);
    close();
    go(`/sensors/${made.id}`);
  };
  return (
    <Form label="Create" submit={submit} onCancel={close}>
      <Field label="Name" value={name} onValue={setName} placeholder="Living room" required maxLength={255} />
      <DataFileField label="Data" optional onFile={(file) => void take(file)} />
      {problem !== undefined && <FileProblem problem={problem} />}
      <Select label="Values" value={kind} onValue={setKind} options={KINDS} />
      <Field label="Model of the device" hint="Optional, BME280 for instance." value={device} onValue={setDevice} />
    </Form>
  );
}

function FileProblem({ problem }: { problem: unknown }) {
  return (
    <p class="problem" role="alert">
      {messageOf(problem)}
    </p>
  );
}
