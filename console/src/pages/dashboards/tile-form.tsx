import { useState } from 'preact/hooks';
import { type Kind, NEW_TILE, SIZES, type Tile } from '../../dashboards/source';
import { KINDS } from '../../dashboards/tile-view';
import { useDraft } from '../../drafts';
import { type PlainText, t } from '../../language';
import { Choices, Field, Form, Select } from '../../ui/form';
import { PickSensors } from '../../ui/pick-sensors';

const RANGES: readonly (readonly [seconds: number, text: PlainText])[] = [
  [3_600, '1 hour'],
  [21_600, '6 hours'],
  [86_400, '1 day'],
  [604_800, '1 week'],
  [2_592_000, '30 days'],
  [31_536_000, '1 year'],
];

const MOST_FIELDS: Readonly<Partial<Record<Kind, number>>> = { chart: 20, value: 1 };
const MOST: Readonly<Record<Kind, number>> = { chart: 6, value: 1, state: 50, alerts: 50, note: 0 };

interface TileFormProps {
  /** Undefined for a new one. */
  tile: Tile | undefined;
  onTile: (tile: Tile) => void;
  close: () => void;
}

/** The form of a tile's content; its place stays. */
export function TileForm({ tile, onTile, close }: TileFormProps) {
  const [draft, setDraft] = useDraft<Tile>('tile', tile ?? NEW_TILE);
  const [fields, setFields] = useState(draft.fields.join(', '));
  const change = (changes: Partial<Tile>) => setDraft({ ...draft, ...changes });
  const { kind, sensors = [], text } = draft;
  const isReady = kind === 'note' ? text.trim() !== '' : kind === 'alerts' || sensors.length > 0;
  const submit = async () => {
    onTile({ ...ofKind(draft, fields), ...(tile?.kind === kind ? {} : SIZES[kind]) });
    close();
  };
  return (
    <Form label={tile ? t('Apply') : t('Add')} onCancel={close} submit={submit} ready={isReady}>
      <Choices<Kind>
        label={t('Kind')}
        value={kind}
        options={Object.entries(KINDS).map(([key, name]) => [key as Kind, t(name)])}
        onValue={(chosen) => change({ kind: chosen })}
      />
      {kind === 'note' ? (
        <Field label={t('Text')} value={text} onValue={(value) => change({ text: value })} rows={4} maxLength={2_000} />
      ) : (
        <>
          <PickSensors
            label={SENSORS[kind] ? t(SENSORS[kind]) : t('Sensors')}
            chosen={sensors}
            onChosen={(ids) => change({ sensors: ids.slice(-MOST[kind]) })}
          />
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

const SENSORS: Readonly<Partial<Record<Kind, PlainText>>> = { alerts: 'Sensors; none for all', value: 'Sensor' };

function hasRange(kind: Kind): boolean {
  return kind === 'chart' || kind === 'value';
}

/** The tile without what its kind does not have. */
function ofKind(tile: Tile, fields: string): Tile {
  const { kind, sensors = [], range } = tile;
  const shown = { ...tile, sensors: sensors.slice(0, MOST[kind]) };
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
