import { useId } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import { t } from '../../language';
import { textOf } from '../../ui/form';
import { useResource } from '../../use-resource';
import { EMPTY_CONDITION, type Follows, isTag, type TagCondition } from './selector';

type Edited = Follows<Records['SensorProperty']>;

/** Number of sensors whose metatags are offered. */
const MOST_SENSORS = 1_000;
const MOST_OFFERED = 200;

/** The conditions on the metatags of the sensors that a trigger follows. */
export function Conditions({ follows, onFollows }: { follows: Edited; onFollows: (follows: Edited) => void }) {
  const { conditions, namespace } = follows;
  const namespaces = useMetatags();
  const known = namespaces.get(namespace.trim() || 'default') ?? new Map();
  const set = (changed: Edited['conditions']) => onFollows({ ...follows, conditions: changed });
  return (
    <>
      <ul class="stack" aria-label={t('Conditions, all of which must be met')}>
        {conditions.map((condition, index) => (
          <li key={index} class="condition">
            {isTag(condition) ? (
              <TagFields
                condition={condition}
                known={known}
                onCondition={(changed) => set(conditions.map((one, at) => (at === index ? changed : one)))}
              />
            ) : (
              <span class="breakable">{condition.text}</span>
            )}
            <button
              type="button"
              class="button quiet-button small-button"
              aria-label={t('Remove the condition {name}', { name: nameOf(condition, index) })}
              onClick={() => set(conditions.filter((_, at) => at !== index))}
            >
              {t('Remove')}
            </button>
          </li>
        ))}
      </ul>
      <div class="actions">
        <button type="button" class="button small-button" onClick={() => set([...conditions, EMPTY_CONDITION])}>
          {t('Add a condition')}
        </button>
      </div>
      <Offered
        label={t('Namespace')}
        title={t('Of the metatags.')}
        placeholder="default"
        maxLength={255}
        value={namespace}
        offered={[...namespaces.keys()]}
        onValue={(changed) => onFollows({ ...follows, namespace: changed })}
      />
    </>
  );
}

function nameOf(condition: Edited['conditions'][number], index: number): string {
  return (isTag(condition) ? condition.name : condition.text) || String(index + 1);
}

function TagFields({
  condition,
  known,
  onCondition,
}: {
  condition: TagCondition;
  known: ReadonlyMap<string, readonly string[]>;
  onCondition: (condition: TagCondition) => void;
}) {
  const { name, values } = condition;
  return (
    <>
      <Offered
        label={t('Metatag')}
        required
        placeholder="kind"
        maxLength={255}
        value={name}
        offered={[...known.keys()]}
        onValue={(changed) => onCondition({ ...condition, name: changed })}
      />
      <Offered
        label={t('Is one of')}
        placeholder="freezer, fridge"
        title={t('Separate values with commas; empty for any value')}
        value={values}
        offered={known.get(name.trim()) ?? []}
        onValue={(changed) => onCondition({ ...condition, values: changed })}
      />
    </>
  );
}

interface OfferedProps {
  label: string;
  value: string;
  offered: readonly string[];
  onValue: (value: string) => void;
  placeholder: string;
  required?: boolean;
  maxLength?: number;
  title?: string;
}

/** A field for text that offers known texts. */
export function Offered({ label, offered, onValue, ...rest }: OfferedProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...rest}
        id={id}
        class="input"
        list={`${id}-known`}
        autocapitalize="none"
        onInput={(event) => onValue(textOf(event))}
      />
      <datalist id={`${id}-known`}>
        {offered.slice(0, MOST_OFFERED).map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </div>
  );
}

/** The metatags of the user's sensors, with their values, by namespace. */
export function useMetatags(): ReadonlyMap<string, Known> {
  const found = useResource('metatags of all namespaces', async (signal) => {
    const query = { per_page: MOST_SENSORS, all_namespaces: true };
    const { sensors } = await ask(api.get('/sensors/metatags', { params: { query }, signal }));
    const known = new Map<string, Map<string, Set<string>>>([['default', new Map()]]);
    for (const { metatags = {}, other_metatags: others = {} } of sensors) {
      for (const [namespace, tags] of Object.entries({ ...others, default: metatags })) {
        const names = known.get(namespace) ?? new Map<string, Set<string>>();
        known.set(namespace, names);
        for (const [name, values] of Object.entries(tags)) {
          names.set(name, new Set([...(names.get(name) ?? []), ...[values].flat().map(String)]));
        }
      }
    }
    return new Map([...known].map(([namespace, names]) => [namespace, inOrder(names)]));
  });
  return found.data ?? new Map();
}

type Known = ReadonlyMap<string, readonly string[]>;

function inOrder(names: ReadonlyMap<string, ReadonlySet<string>>): Known {
  return new Map([...names].sort().map(([name, values]) => [name, [...values].sort()]));
}
