import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import { many, t } from '../../language';
import { Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';

/** The retention of a sensor's points. */
export function Retention({ id }: { id: string }) {
  const retention = useResource(`retention ${id}`, async (signal) => {
    return (await ask(api.get('/sensors/{id}/retention', { params: { path: { id } }, signal }))).retention;
  });
  return (
    <Loaded resource={retention}>
      {({ days, effective_days: effective }) => (
        <>
          <p class="quiet">
            {effective === null
              ? t('Points are kept permanently.')
              : many(
                  effective,
                  'Points are kept for {n} day after their dates.',
                  'Points are kept for {n} days after their dates.',
                )}
          </p>
          <Days key={days} id={id} days={days} onDone={retention.reload} />
        </>
      )}
    </Loaded>
  );
}

function Days({ id, days, onDone }: { id: string; days: number | null; onDone: () => void }) {
  const [text, setText] = useState(days === null ? '' : String(days));
  const submit = async () => {
    const params = { path: { id } };
    if (text === '') await ask(api.delete('/sensors/{id}/retention', { params }));
    else await ask(api.put('/sensors/{id}/retention', { params, body: { retention: { days: Number(text) } } }));
    say(t('Saved.'));
    onDone();
  };
  return (
    <Form label={t('Save')} kind="" submit={submit}>
      <Field
        label={t('Days')}
        type="number"
        min={1}
        value={text}
        onValue={setText}
        hint={t('Older points are deleted permanently. Leave it empty to keep them as long as the platform does.')}
      />
    </Form>
  );
}
