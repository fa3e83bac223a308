import { many, t } from '../../language';
import { href } from '../../router';
import { followedBy } from '../../search/namespaces';
import type { Query } from '../../search/query';
import { DialogButton } from '../../ui/dialog';
import { Check } from '../../ui/form';
import { ChangeSensors, Download } from '../forms';
import type { Sensor } from './load';

interface SelectionProps {
  /** All that were found. */
  sensors: readonly Sensor[];
  selected: readonly string[];
  select: (ids: readonly string[]) => void;
  query: Query;
  /** The text of the search. */
  text: string;
  reload: () => void;
}

/** Selects all found sensors, and acts on those that are selected. */
export function Selection({ sensors, selected, select, query, text, reload }: SelectionProps) {
  const isAll = selected.length === sensors.length;
  const { length } = selected;
  const isSelected = new Set(selected);
  const follows = isAll ? followedBy(query, text) : undefined;
  return (
    <div class="line">
      <Check
        label={
          length === 0
            ? many(sensors.length, 'Select {n} sensor', 'Select all {n} sensors')
            : t('{n} selected', { n: length })
        }
        checked={isAll}
        isMixed={length > 0 && !isAll}
        onChecked={(on) => select(on ? sensors.map(({ id }) => id) : [])}
      />
      {length > 0 && (
        <>
          <a class="button small-button" href={href(newTriggerPath(selected, follows))}>
            {t('New trigger for these')}
          </a>
          <DialogButton
            text={t('Change …')}
            title={many(length, 'Change {n} sensor', 'Change {n} sensors')}
            kind="small-button"
          >
            {(close) => (
              <ChangeSensors
                sensors={sensors.filter(({ id }) => isSelected.has(id))}
                close={close}
                onChanged={(refused) => {
                  select(refused);
                  reload();
                }}
              />
            )}
          </DialogButton>
          <DialogButton
            text={t('Download')}
            title={many(length, 'Download the values of {n} sensor', 'Download the values of {n} sensors')}
            kind="small-button"
          >
            {(close) => <Download ids={selected} close={close} />}
          </DialogButton>
          {!isAll && (
            <button type="button" class="button quiet-button small-button" onClick={() => select([])}>
              {t('Clear')}
            </button>
          )}
          {isAll && !follows && text.trim() !== '' && (
            <span class="hint">
              {t('A new trigger watches just these: it can follow only metatags, all of one namespace.')}
            </span>
          )}
        </>
      )}
    </div>
  );
}

/**
 * The editor of a new trigger. All sensors with certain metatags are followed by a selector, so the trigger is connected
 * to later ones as well.
 */
function newTriggerPath(selected: readonly string[], follows: ReturnType<typeof followedBy>): string {
  const query = new URLSearchParams(follows ? { ...follows, try: selected[0] ?? '' } : { sensors: selected.join() });
  return `/triggers/new?${query}`;
}
