import { api, ask } from '../../api';
import { t } from '../../language';
import { Action } from '../../ui/action';
import type { TrialSensor } from './trial';

/** Explains why rules with numbers do not work on a text sensor that holds numbers, and changes its kind. */
export function TextOfNumbers({ sensor: { id, name }, onChanged }: { sensor: TrialSensor; onChanged: () => void }) {
  const change = async () => {
    const sensor = { data_type: 'float' };
    await ask(api.put('/sensors/{id}', { params: { path: { id } }, body: { sensor } }));
    onChanged();
  };
  return (
    <div class="message warn line spread">
      <span>
        {t('The values of {name} are numbers, but they are stored as text, which rules cannot compare with numbers.', {
          name,
        })}
      </span>
      <Action
        kind="small-button"
        act={change}
        done={t('The values of {name} are read as numbers from now on.', { name })}
      >
        {t('Read them as numbers')}
      </Action>
    </div>
  );
}
