import { useState } from 'preact/hooks';
import { api, ask } from '../../api';
import type { Range } from '../../chart/load';
import { loadExtent } from '../../chart/load';
import { SensorChart } from '../../chart/sensor-chart';
import { useView } from '../../chart/view';
import { formatDate, formatDuration } from '../../format';
import { many, t } from '../../language';
import { Check, Field, Form } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';
import { useSensorNames } from '../names';
import type { Sensor } from '../sensors/load';

interface TeachProps {
  serviceId: string;
  inputs: readonly Sensor[];
  onLearned: () => void;
}

/** Teaches a state: the user selects a part of the chart, and names it. */
export function Teach(props: TeachProps) {
  const { inputs } = props;
  const first = inputs[0];
  const extent = useResource(`extent ${first?.id}`, async (signal) => ({
    found: first && (await loadExtent(first.id, signal)),
  }));
  return (
    <Loaded resource={extent}>
      {({ found }) =>
        found ? (
          <Selecting {...props} extent={found} />
        ) : (
          <p class="quiet">{t('It learns from stored data. There is none yet.')}</p>
        )
      }
    </Loaded>
  );
}

const DAY = 86_400;

function Selecting({ serviceId, inputs, onLearned, extent }: TeachProps & { extent: Range }) {
  const view = useView({ from: Math.max(extent.from, extent.to - DAY), to: extent.to });
  const [selects, setSelects] = useState(true);
  const [range, setRange] = useState<Range>();
  const [label, setLabel] = useState('');
  const nameOf = useSensorNames();
  const chosen = range ?? view.range;
  const submit = async () => {
    const path = { id: inputs[0]?.id ?? '', service_id: serviceId };
    const body = { start_date: chosen.from, end_date: chosen.to, class_label: label };
    const { points } = await ask(
      api.post('/sensors/{id}/services/{service_id}/manualLearn', { params: { path }, body }),
    );
    say(many(points, 'Learned {n} point as “{label}”.', 'Learned {n} points as “{label}”.', { label }));
    setRange(undefined);
    setLabel('');
    onLearned();
  };
  return (
    <div class="stack">
      <p class="quiet">
        {t(
          'Drag over a part of the chart in which the state was the same, and name the state. Two or more states with a few examples each are enough to begin with. Without a mouse, zoom until the chart shows just that part.',
        )}
      </p>
      <Check label={t('Dragging over the chart selects instead of zooming')} checked={selects} onChecked={setSelects} />
      <SensorChart
        sensors={inputs.map((sensor) => ({ ...sensor, name: nameOf(sensor) }))}
        view={view}
        extent={extent}
        spans={range && [range]}
        height={240}
        onSelect={selects ? setRange : undefined}
      />
      <Form label={t('Learn')} submit={submit}>
        <p class="numbers">
          {t(range ? 'Selected' : 'Everything in view')}: {formatDate(chosen.from)},{' '}
          {formatDuration(chosen.to - chosen.from)}
        </p>
        <Field label={t('State')} value={label} onValue={setLabel} placeholder={t('washing')} required />
      </Form>
    </div>
  );
}
