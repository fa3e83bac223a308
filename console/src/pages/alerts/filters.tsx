import type { Range } from '../../chart/points';
import { RangeButton } from '../../chart/range-picker';
import { formatShort } from '../../format';
import { t } from '../../language';
import { setQuery } from '../../router';
import { byName, Filters, Narrow, Search } from '../../ui/filters';
import { Choices } from '../../ui/form';
import { SEVERITIES } from '../../ui/severity';
import { useResource } from '../../use-resource';
import { LOADERS, type Names } from '../names';
import type { Grouping, Tags } from './groups';
import type { AlertFilter, State } from './load';

interface FiltersProps {
  filter: AlertFilter;
  by: Grouping;
  names: Names;
  tags: Tags;
}

/** What narrows the list of alerts, and groups it. */
export function AlertFilters({ filter, ...others }: FiltersProps) {
  const set = (changes: Record<string, string | undefined>) => setQuery({ ...changes, page: undefined });
  const states = (
    <Choices<State>
      label={t('State')}
      value={filter.state}
      options={[
        ['firing', t('Firing|state')],
        ['unacknowledged', t('Not acknowledged')],
        ['resolved', t('Resolved')],
        ['all', t('All')],
      ]}
      onValue={(state) => set({ state: state === 'firing' ? undefined : state })}
    />
  );
  const chosen = [filter.severity, filter.trigger, filter.group, filter.search, filter.period].filter(Boolean).length;
  return (
    <Filters first={states} chosen={chosen}>
      <Fields {...{ filter, set }} {...others} />
    </Filters>
  );
}

type Set = (changes: Record<string, string | undefined>) => void;

function Fields({ filter, by, names, tags, set }: FiltersProps & { set: Set }) {
  const tagNames = [...new Set([...tags.values()].flatMap(Object.keys))].sort();
  const groups = useResource('own groups', LOADERS.group).data ?? [];
  const severities = SEVERITIES.map((one) => [one, t(one)] as const);
  return (
    <>
      <Search
        label={t('Search')}
        placeholder={t('Trigger or sensor')}
        value={filter.search ?? ''}
        onValue={(q) => set({ q })}
      />
      <Narrow
        label={t('Severity')}
        value={filter.severity ?? ''}
        onValue={(severity) => set({ severity })}
        options={[['', t('Any severity')], ...severities]}
      />
      <Narrow
        label={t('Trigger')}
        value={filter.trigger ?? ''}
        onValue={(trigger) => set({ trigger })}
        options={[['', t('Any trigger')], ...byName(names.triggers)]}
      />
      {groups.length > 0 && (
        <Narrow
          label={t('Group')}
          value={filter.group ?? ''}
          onValue={(group) => set({ group })}
          options={[['', t('All')], ...groups]}
        />
      )}
      <Period period={filter.period} set={set} />
      <Narrow
        label={t('Group by')}
        value={by}
        onValue={(next) => set({ by: next })}
        options={[
          ['none', t('Not grouped')],
          ['trigger', t('By trigger')],
          ['sensor', t('By sensor')],
          ['severity', t('By severity')],
          ...tagNames.map((name) => [`tag:${name}`, t('By {name}', { name })] as const),
        ]}
      />
    </>
  );
}

const DAY = 86_400;
const OWN = 'own';

/** The time in which alerts fired: the latest days, or between two dates. */
function Period({ period, set }: { period: AlertFilter['period']; set: Set }) {
  const own = period && 'from' in period ? period : undefined;
  const show = ({ from, to }: Range) => set({ span: undefined, from: from.toFixed(0), to: to.toFixed(0) });
  const choose = (value: string) => {
    const now = Date.now() / 1000;
    if (value === OWN) show({ from: now - 7 * DAY, to: now });
    else set({ span: value, from: undefined, to: undefined });
  };
  return (
    <>
      <Narrow
        label={t('Fired')}
        value={own ? OWN : period && 'span' in period ? String(period.span) : ''}
        onValue={choose}
        options={[
          ['', t('Any time')],
          [String(DAY), t('Last 24 hours')],
          [String(7 * DAY), t('Last 7 days')],
          [String(30 * DAY), t('Last 30 days')],
          [OWN, t('From … to …')],
        ]}
      />
      {own && <RangeButton view={{ range: own, show }} text={`${formatShort(own.from)} – ${formatShort(own.to)}`} />}
    </>
  );
}
