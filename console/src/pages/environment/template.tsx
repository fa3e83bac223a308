import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { t, tx } from '../../language';
import { href } from '../../router';
import { Field, Form } from '../../ui/form';
import { readOutline, rectangle, writeOutline } from '../environments/geometry';
import type { Environment } from './load';

/** The position of a new outline until the user moves it. */
export const GREENWICH = { latitude: 51.4779, longitude: 0 };

/** Draws the outline of an environment without one: a rectangle of this size. */
export function Template({ environment, onSaved }: { environment: Environment; onSaved: () => void }) {
  const { id, position } = environment;
  const [width, setWidth] = useState('6');
  const [length, setLength] = useState('4');
  const submit = async () => {
    const centre = readOutline(position)[0] ?? GREENWICH;
    const gps_outline = writeOutline(rectangle(centre, Number(width), Number(length)));
    await ask(api.put('/environments/{id}', { params: { path: { id } }, body: { environment: { gps_outline } } }));
    onSaved();
  };
  return (
    <div class="stack">
      <h2>{t('Draw this place')}</h2>
      <p class="quiet">
        {tx('Start with a rectangle. You can also {draw}, or put a picture of its floor plan behind it.', {
          draw: <a href={href(`/environments/${id}/outline`)}>{t('draw any outline')}</a>,
        })}
      </p>
      <Form label={t('Create the room')} submit={submit}>
        <Size {...{ width, setWidth, length, setLength }} required />
      </Form>
    </div>
  );
}

interface SizeProps {
  width: string;
  setWidth: (metres: string) => void;
  length: string;
  setLength: (metres: string) => void;
  required?: boolean;
}

/** The fields for the size of a rectangular room. */
export function Size({ width, setWidth, length, setLength, required }: SizeProps) {
  const shared = { type: 'number', min: 0.1, step: 'any', required } as const;
  return (
    <>
      <Field {...shared} label={t('Width in metres')} value={width} onValue={setWidth} />
      <Field {...shared} label={t('Length in metres')} value={length} onValue={setLength} />
    </>
  );
}
