import { useState } from 'preact/hooks';
import { many, t } from '../../language';
import { Check, Form } from '../../ui/form';
import { Table } from '../../ui/table';
import type { BulkOutcome } from './bulk';
import { fullName } from './differences';
import { storeLabels } from './label-store';
import type { LabelChange, LabelPlan } from './label-table';

const FEW = 10;

interface PlanProps {
  plan: LabelPlan;
  onStored: (outcome: BulkOutcome, plan: LabelPlan) => void;
  reload: () => void;
  close: () => void;
}

/** What a file would change, before anything is stored. Columns of new metatags are chosen only if there are no others. */
export function LabelPlanForm({ plan, onStored, reload, close }: PlanProps) {
  const { columns, sensors } = plan;
  const [chosen, setChosen] = useState<readonly string[]>(() => {
    const known = columns.filter(({ isNew }) => !isNew);
    return (known.length > 0 ? known : columns).map(({ name }) => name);
  });
  const [done, setDone] = useState<number>();
  const changes = plan.changes.filter(({ column }) => chosen.includes(column.name));
  const submit = async () => {
    setDone(0);
    try {
      onStored(await storeLabels(changes, setDone), plan);
    } finally {
      setDone(undefined);
      reload();
    }
  };
  const total = new Set(changes.map(({ sensor, column }) => `${sensor.id} ${column.namespace}`)).size;
  return (
    <Form
      label={
        done === undefined
          ? many(changes.length, 'Store {n} label', 'Store {n} labels')
          : t('{done} of {total} …', { done, total })
      }
      ready={changes.length > 0}
      submit={submit}
      onCancel={close}
    >
      <p role="status">
        {many(sensors, '{n} sensor found.', '{n} sensors found.')}{' '}
        {many(changes.length, '{n} label changes.', '{n} labels change.')}
      </p>
      <fieldset class="field">
        <legend class="label">{t('Metatags')}</legend>
        <div class="pick grid">
          {columns.map(({ name, isNew }) => (
            <Check
              key={name}
              label={isNew ? t('{name} (new)', { name }) : name}
              checked={chosen.includes(name)}
              onChecked={(on) => setChosen(on ? [...chosen, name] : chosen.filter((one) => one !== name))}
            />
          ))}
        </div>
      </fieldset>
      {changes.length > 0 && <Changes changes={changes} />}
      <LeftOut plan={plan} />
    </Form>
  );
}

function Changes({ changes }: { changes: readonly LabelChange[] }) {
  return (
    <Table<LabelChange>
      caption={t('What changes')}
      rows={changes}
      most={FEW}
      keyOf={({ sensor, column }) => `${sensor.id} ${column.name}`}
      columns={[
        { name: t('Sensor'), cell: ({ sensor }) => <span class="strong breakable">{fullName(sensor)}</span> },
        { name: t('Metatag'), isNamed: true, cell: ({ column }) => column.name },
        { name: t('Now'), isNamed: true, cell: ({ before }) => before.join(', ') || '–' },
        { name: t('In the file'), isNamed: true, cell: ({ after }) => after.join(', ') },
      ]}
    />
  );
}

/** Lines of a file that change nothing, and why. */
export function LeftOut({ plan: { leftOut } }: { plan: LabelPlan }) {
  if (leftOut.length === 0) return null;
  return (
    <div class="stack tight">
      <p class="message warn">{many(leftOut.length, '{n} line is left out.', '{n} lines are left out.')}</p>
      <Table<LabelPlan['leftOut'][number]>
        caption={t('Lines that are left out')}
        rows={leftOut}
        most={FEW}
        keyOf={({ line }) => String(line)}
        columns={[
          { name: t('Line'), isNamed: true, cell: ({ line }) => line },
          { name: t('Sensor'), cell: ({ name }) => <span class="breakable">{name}</span> },
          { name: t('Why?'), cell: ({ why }) => why },
        ]}
      />
    </div>
  );
}
