import { useState } from 'preact/hooks';
import { type Kind, NEW_TILE, SIZES, type Tile } from '../../dashboards/source';
import { KINDS } from '../../dashboards/tile-view';
import { useDraft } from '../../drafts';
import { type PlainText, t } from '../../language';
import { Choices, Field, Form, Select } from '../../ui/form';
import { Loaded } from '../../ui/page';
import { PickSensors } from '../../ui/pick-sensors';
import { useResource } from '../../use-resource';
import { LOADERS } from '../names';
import { FollowSearch } from './follow-search';

const RANGES: readonly (readonly [seconds: number, text: PlainText])[] = [
  [3_600, '1 hour'],
  [21_600, '6 hours'],
  [86_400, '1 day'],
  [604_800, '1 week'],
  [2_592_000, '30 days'],
  [31_536_000, '1 year'],
];

const MOST_FIELDS: Readonly<Partial<Record<Kind, number>>> = { chart: 20, value: 1 };
const MOST: Readonly<Record<Kind, number>> = {
  ...{ chart: 6, value: 1, state: 50, counts: 50, alerts: 50 },
  ...{ plan: 0, note: 0 },
};
/** How many sensors a tile lists that follows a search. */
const FOLLOWED: Readonly<Partial<Record<Kind, number>>> = { chart: 6, state: 200, counts: 10_000, alerts: 10_000 };

interface TileFormProps {
  /** Undefined for a new one. */
  tile: Tile | undefined;
  /** The search that a new one begins with. */
  selector?: Tile['selector'];
  onTile: (tile: Tile) => void;
  close: () => void;
}

/** The form of a tile's content; its place stays. */
export function TileForm({ tile, selector = null, onTile, close }: TileFormProps) {
  const [draft, setDraft] = useDraft<Tile>('tile', tile ?? { ...NEW_TILE, selector });
  const [fields, setFields] = useState(draft.fields.join(', '));
  const change = (changes: Partial<Tile>) => setDraft({ ...draft, ...changes });
  const { kind, text } = draft;
  const [isSearch, setSearch] = useState(Boolean(draft.selector));
  const listed = isSearch ? FOLLOWED[kind] : undefined;
  const isReady = listed ? Boolean(draft.selector) : isFilled(draft);
  const missing = !listed && MOST[kind] > 0 && t('Tick at least one sensor: a search alone chooses none.');
  const submit = async () => {
    const shown = ofKind({ ...draft, ...(listed ? { sensors: [] } : { selector: null }) }, fields);
    onTile({ ...shown, ...(tile?.kind === kind ? {} : SIZES[kind]) });
    close();
  };
  return (
    <Form label={tile ? t('Apply') : t('Add')} onCancel={close} submit={submit} ready={isReady} missing={missing}>
      <Choices<Kind>
        label={t('Kind')}
        value={kind}
        options={Object.entries(KINDS).map(([key, name]) => [key as Kind, t(name)])}
        onValue={(chosen) =>
          change({ kind: chosen, ...(MOST[chosen] === 1 && { sensors: draft.sensors?.slice(0, 1) }) })
        }
      />
      {kind === 'note' ? (
        <Field label={t('Text')} value={text} onValue={(value) => change({ text: value })} rows={4} maxLength={2_000} />
      ) : (
        <>
          {kind === 'plan' ? (
            <EnvironmentField draft={draft} change={change} />
          ) : (
            <SensorFields {...{ draft, change, isSearch, setSearch }} />
          )}
          {hasRange(kind) && <PeriodFields {...{ draft, change, fields, setFields }} />}
          <Field
            label={t('Title (optional)')}
            value={text}
            onValue={(value) => change({ text: value })}
            maxLength={255}
          />
        </>
      )}
    </Form>
  );
}

function isFilled({ kind, sensors = [], environment, text }: Tile): boolean {
  if (kind === 'note') return text.trim() !== '';
  if (kind === 'plan') return Boolean(environment);
  return sensors.length <= MOST[kind] && (sensors.length > 0 || isOfAll(kind));
}

/** True for tiles that are about all sensors if they name none. */
function isOfAll(kind: Kind): boolean {
  return kind === 'alerts' || kind === 'counts';
}

function EnvironmentField({ draft: { environment }, change }: Pick<SensorProps, 'draft' | 'change'>) {
  const found = useResource('environments to choose from', LOADERS.environment);
  return (
    <Loaded resource={found}>
      {(options) => (
        <Select
          label={t('Environment')}
          value={environment ?? ''}
          onValue={(id) => change({ environment: id || null })}
          options={[['', t('Choose …')], ...options]}
        />
      )}
    </Loaded>
  );
}

interface SensorProps {
  draft: Tile;
  change: (changes: Partial<Tile>) => void;
  isSearch: boolean;
  setSearch: (isSearch: boolean) => void;
}

function SensorFields({ draft: { kind, sensors = [], selector }, change, isSearch, setSearch }: SensorProps) {
  const [n, listed] = [MOST[kind], FOLLOWED[kind]];
  const onChosen = (ids: string[]) => change({ sensors: n === 1 ? ids.slice(-1) : ids });
  if (!listed) return <PickSensors label={t('Sensor')} chosen={sensors} onChosen={onChosen} />;
  const most = t('Sensors, at most {n}', { n });
  const label = isOfAll(kind) ? t('{sensors}; none for all', { sensors: most }) : most;
  return (
    <>
      <Choices<'chosen' | 'search'>
        label={t('Sensors')}
        value={isSearch ? 'search' : 'chosen'}
        options={[
          ['chosen', t('Certain sensors')],
          ['search', t('By search')],
        ]}
        onValue={(chosen) => setSearch(chosen === 'search')}
      />
      {isSearch ? (
        <FollowSearch {...{ selector, listed }} onSelector={(found) => change({ selector: found })} />
      ) : (
        <PickSensors {...{ label, onChosen }} chosen={sensors} most={n} />
      )}
    </>
  );
}

function hasRange(kind: Kind): boolean {
  return kind === 'chart' || kind === 'value';
}

/** The tile without what its kind does not have. */
function ofKind(tile: Tile, fields: string): Tile {
  const { kind, sensors = [], range } = tile;
  const environment = kind === 'plan' ? tile.environment : null;
  const shown = { ...tile, environment, sensors: sensors.slice(0, MOST[kind]) };
  if (!hasRange(kind)) return { ...shown, fields: [], range: null };
  return { ...shown, fields: fieldsIn(fields).slice(0, MOST_FIELDS[kind]), range: range ?? NEW_TILE.range };
}

interface PeriodProps {
  draft: Tile;
  change: (changes: Partial<Tile>) => void;
  fields: string;
  setFields: (text: string) => void;
}

function PeriodFields({ draft: { kind, range }, change, fields, setFields }: PeriodProps) {
  return (
    <>
      <Select
        label={t('Period')}
        value={String(range ?? NEW_TILE.range)}
        onValue={(value) => change({ range: Number(value) })}
        options={rangesWith(range).map(([seconds, name]) => [String(seconds), name])}
      />
      <Field
        label={kind === 'value' ? t('Field of a JSON value (optional)') : t('Fields of JSON values (optional)')}
        value={fields}
        onValue={setFields}
      />
    </>
  );
}

/** The usual periods, and that of the tile if a program chose another one. */
function rangesWith(range: number | null): [seconds: number, text: string][] {
  const usual = RANGES.map(([seconds, name]): [number, string] => [seconds, t(name)]);
  if (range === null || usual.some(([seconds]) => seconds === range)) return usual;
  return [...usual, [range, t('{n} seconds', { n: range })]];
}

function fieldsIn(text: string): string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter(Boolean);
}
