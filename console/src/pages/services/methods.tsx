import { useState } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { readFields } from '../../format';
import { type PlainText, t, tx } from '../../language';
import { Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import type { Sensor } from '../sensors/load';

type Method = Records['ServiceMethodView'];

/** The settings of a service: each pair of methods is a field. */
export function Methods({ serviceId, inputs, kind }: { serviceId: string; inputs: readonly Sensor[]; kind: string }) {
  const path = { id: inputs[0]?.id ?? '', service_id: serviceId };
  const methods = useResource(`methods ${serviceId}`, (signal) => load(path, signal));
  const set = async (method: string, parameters: string[]) => {
    const params = { path: { ...path, method } };
    await ask(api.post('/sensors/{id}/services/{service_id}/{method}', { params, body: { parameters } }));
    say(t('It applies from the next data point on.'));
    methods.reload();
  };
  return (
    <Loaded resource={methods}>
      {({ values, setters }) => (
        <div class="columns">
          <div class="stack">
            {kind === 'math_service' && <Variables inputs={inputs} />}
            {setters.map((setter) => (
              <Setter
                key={setter.name}
                setter={setter}
                value={values.get(setter.name.slice(3)) ?? ''}
                send={(parameters) => set(setter.name, parameters)}
              />
            ))}
          </div>
          <dl class="facts">
            {[...values].map(([name, value]) => (
              <>
                <dt>{words(name)}</dt>
                <dd>
                  <code class="breakable">{shown(value)}</code>
                </dd>
              </>
            ))}
          </dl>
        </div>
      )}
    </Loaded>
  );
}

/** The values of the get methods, and the set methods. */
async function load(path: { id: string; service_id: string }, signal: AbortSignal) {
  const { methods } = await ask(api.get('/sensors/{id}/services/{service_id}/methods', { params: { path }, signal }));
  const values = await Promise.all(
    methods
      .filter(({ name }) => name.startsWith('Get'))
      .map(async ({ name }) => {
        const params = { path: { ...path, method: name } };
        const { result } = await ask(api.get('/sensors/{id}/services/{service_id}/{method}', { params, signal }));
        return [name.slice(3), result] as const;
      }),
  );
  return { values: new Map(values), setters: methods.filter(({ name }) => name.startsWith('Set')) };
}

/** An answer for people: the items of a list or an object one by one. */
function shown(value: string): string {
  const fields = readFields(value);
  const entries = Object.entries(fields ?? {}).filter(([, one]) => one !== null && one !== undefined);
  if (fields) return entries.map(([name, one]) => `${name} ${String(one)}`).join(' · ') || '–';
  if (!value.startsWith('[')) return value || '–';
  try {
    const list: unknown = JSON.parse(value);
    return (Array.isArray(list) ? list.join(', ') : value) || t('none');
  } catch {
    return value;
  }
}

/** The names of the inputs in a formula. */
function Variables({ inputs }: { inputs: readonly Sensor[] }) {
  return (
    <p class="small quiet">
      {tx('Names of the inputs: {names}. The field of a JSON value follows after a dot.', {
        names: inputs.map(({ id, name }, at) => (
          <>
            {at > 0 && ', '}
            <code class="breakable">
              _{id}_{name.replace(/\W/g, '_')}
            </code>
          </>
        )),
      })}
    </p>
  );
}

function Setter({
  setter,
  value,
  send,
}: {
  setter: Method;
  value: string;
  send: (parameters: string[]) => Promise<void>;
}) {
  const [texts, setTexts] = useState(() => initial(setter.parameters, value));
  return (
    <Form label={t('Set')} kind="" submit={() => send(texts)}>
      {setter.parameters.map((parameter, at) => (
        <Field
          key={parameter}
          label={
            setter.parameters.length > 1
              ? `${words(setter.name.slice(3))}: ${words(parameter)}`
              : words(setter.name.slice(3))
          }
          rows={setter.name === 'SetExpression' ? 3 : undefined}
          value={texts[at] ?? ''}
          onValue={(text) => setTexts(texts.map((one, index) => (index === at ? text : one)))}
        />
      ))}
    </Form>
  );
}

/** The current value; several parameters are a JSON list. */
function initial(parameters: readonly string[], value: string): string[] {
  if (parameters.length < 2) return [value];
  try {
    const list: unknown = JSON.parse(value);
    return parameters.map((_, at) => String(Object(list)[at] ?? ''));
  } catch {
    return parameters.map(() => '');
  }
}

/** Names of settings and of their parameters. */
const NAMES: Readonly<Record<string, PlainText>> = {
  ClassLabels: 'States',
  Confidence: 'Confidence',
  Expression: 'Formula',
  Filter: 'Texts that pass',
  LearningProgress: 'Progress of learning',
  ManualInputMode: 'Manual input',
  UseDataTimestamp: 'Dates from the data',
  Window: 'Window',
  size: 'Size',
  unit: 'Unit',
};

/** A setting in words: `UseDataTimestamp`. */
function words(name: string): string {
  const known = NAMES[name];
  if (known) return t(known);
  const text = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
