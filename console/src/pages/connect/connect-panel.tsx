import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { t, tx } from '../../language';
import { href } from '../../router';
import { CopyButton, NewSecret } from '../../ui/copy';
import { Choices, Field, Form } from '../../ui/form';
import { Loaded, Section } from '../../ui/page';
import { AddressNote } from './key-form';
import { type NewKey, placeOf, useNewKey } from './new-keys';
import { fill, LANGUAGES, type Language, useText } from './ways';

interface PanelProps {
  sensor: Pick<Records['OwnedSensorView'], 'id' | 'unit'>;
  hasData: boolean;
  reload: () => void;
}

/** The code for a device that uploads to a sensor, with the new key; empty if there is none. */
export function ConnectPanel(props: PanelProps) {
  const { key, putAway } = useNewKey(placeOf(props.sensor.id));
  return key ? <Panel {...props} made={key} putAway={putAway} /> : null;
}

function Panel({ sensor, hasData, reload, made, putAway }: PanelProps & { made: NewKey; putAway: () => void }) {
  const [hadData] = useState(hasData);
  const place = useRef<HTMLDivElement>(null);
  // Below a chart it may be out of view.
  useEffect(() => place.current?.scrollIntoView({ block: 'nearest' }), []);
  return (
    <div ref={place}>
      <Section
        title={t('Connect a device')}
        actions={
          <button type="button" class="button small-button" onClick={putAway}>
            {t('Done')}
          </button>
        }
      >
        <p role="status">
          <span class="live on">{progress(hadData, hasData)}</span>
        </p>
        {hasData && sensor.unit === '' && <UnitForm id={sensor.id} onDone={reload} />}
        <Programs sensor={sensor.id} made={made} />
      </Section>
    </div>
  );
}

/** Asks for the unit once there is a value. */
function UnitForm({ id, onDone }: { id: string; onDone: () => void }) {
  const [unit, setUnit] = useState('');
  const submit = async () => {
    await ask(api.put('/sensors/{id}', { params: { path: { id } }, body: { sensor: { unit } } }));
    onDone();
  };
  return (
    <Form label={t('Save')} submit={submit} ready={unit.trim() !== ''}>
      <Field label={t('Unit')} value={unit} onValue={setUnit} placeholder="°C" maxLength={32} />
    </Form>
  );
}

function progress(hadData: boolean, hasData: boolean): string {
  if (hadData) return t('Values appear in the chart as they arrive.');
  return hasData ? t('The first value has arrived.') : t('Listening … the first value appears here.');
}

function Programs({ sensor, made }: { sensor: string; made: NewKey }) {
  const [language, setLanguage] = useState<Language>(made.language ?? 'curl');
  const text = useText(language);
  const code = text.data && fill(text.data, { sensor, key: made.secret });
  return (
    <>
      <NewSecret secret={made.secret} label={t('Copy the key')} />
      <div class="line spread">
        <Choices<Language> label={t('Language')} value={language} options={LANGUAGES} onValue={setLanguage} />
        {code && <CopyButton text={code} label={t('Copy the code')} />}
      </div>
      <Loaded resource={text}>{() => <pre class="secret code">{code}</pre>}</Loaded>
      {language !== 'esp32' && (
        <p class="small quiet">
          {tx('The numbers in the code are samples. Once your own values arrive, delete the samples under {data}.', {
            data: <a href={href(`/sensors/${sensor}/data`)}>{t('Data')}</a>,
          })}
        </p>
      )}
      <AddressNote />
    </>
  );
}
