import { useMemo, useState } from 'preact/hooks';
import { api, ask, type Records } from '../api';
import { useChosenFields } from '../chart/field-picker';
import { useLivePoints } from '../chart/live';
import { type Extent, loadExtent, type Range } from '../chart/load';
import type { Mark, Span } from '../chart/marks';
import { SensorChart } from '../chart/sensor-chart';
import type { Charted } from '../chart/shape';
import { useView, type View } from '../chart/view';
import { formatDate, personName, sensorName } from '../format';
import { t } from '../language';
import { href, setQuery, usePlace } from '../router';
import { DialogButton } from '../ui/dialog';
import { Empty, Loaded, Section } from '../ui/page';
import { type Resource, useResource } from '../use-resource';
import { ConnectButton } from './connect/connect-button';
import { ConnectPanel } from './connect/connect-panel';
import { placeOf, useNewKey } from './connect/new-keys';
import { PinButton } from './dashboards/pin';
import { Upload } from './forms';
import { LOADERS } from './names';
import { Compare } from './sensor/compare';
import { type ChartedFiring, loadFirings } from './sensor/firings';
import { SensorFrame } from './sensor/frame';
import { Latest } from './sensor/latest';
import { NewNote, Notes, useNoteMarks, useNotes } from './sensor/notes';
import { StateNow } from './sensor/state-now';
import { SensorTriggers } from './sensor/triggers';
import { TrySample } from './sensor/try-sample';
import { useThresholds } from './sensor/use-thresholds';
import { isSample } from './sensors/sample';

type Sensor = Records['OwnedSensorView'];

/** A sensor: its chart, alone or with others, and its triggers. */
export function SensorPage({ id }: { id: string }) {
  const [uploads, setUploads] = useState(0);
  const extent = useResource(
    `extent ${id} ${uploads}`,
    (signal) => loadExtent(id, signal).then((found) => ({ found })),
    { everyMs: 30_000 },
  );
  return (
    <SensorFrame id={id} tab="chart" onUpload={() => setUploads(uploads + 1)}>
      {(sensor, reload) => <Chart {...{ sensor, extent, reload }} />}
    </SensorFrame>
  );
}

const DAY = 86_400;

interface ChartProps {
  sensor: Sensor;
  extent: Resource<{ found: Extent | undefined }>;
  reload: () => void;
}

function Chart({ sensor, extent, reload }: ChartProps) {
  const { key } = useNewKey(placeOf(sensor.id));
  const hasData = extent.data?.found !== undefined;
  // The first point replaces the page by a chart, which then listens for points.
  const isEmpty = extent.data !== undefined && !hasData;
  useLivePoints([sensor.id], isEmpty, { onPoint: extent.reload, onGap: extent.reload });
  return (
    <>
      <Loaded resource={extent}>
        {({ found }) => {
          if (found) return <WithData sensor={sensor} extent={found} />;
          return key ? null : <NoData sensor={sensor} reload={extent.reload} />;
        }}
      </Loaded>
      <ConnectPanel {...{ sensor, hasData, reload }} />
    </>
  );
}

type SensorTrigger = Records['SensorTriggerView'];

function WithData({ sensor, extent }: { sensor: Sensor; extent: Extent }) {
  const { query } = usePlace();
  const [arrived, setArrived] = useState(0);
  const view = useCounting(useView(useInitialView(extent)), () => setArrived((before) => before + 1));
  const others = (query.get('with') ?? '').split(',').filter(Boolean);
  const sensors = useCharted(sensor, others);
  const firings = useResource(`firings ${sensor.id}`, (signal) => loadFirings(sensor.id, signal), { everyMs: 10_000 });
  const notes = useNotes(sensor.id);
  const [triggers, setTriggers] = useState<readonly SensorTrigger[]>([]);
  const thresholds = useThresholds(sensor.id, triggers);
  const [fired, episodes] = useMemo(() => marksOf(firings.data ?? [], view.range.to), [firings.data, view.range.to]);
  const [noted, periods] = useNoteMarks(notes.data);
  const marks = useMemo(() => [...namedMark(view.at), ...fired, ...noted], [fired, noted, view.at]);
  const spans = useMemo(() => [...episodes, ...periods], [episodes, periods]);
  const menu = (date: number, close: () => void) => (
    <div class="actions">
      {!sensor.owner && (
        <NewNote sensorId={sensor.id} {...{ date }} kind="small-button" onDone={all(close, notes.reload)} />
      )}
      <button type="button" class="button small-button" onClick={all(close, () => view.show(near(view.range, date)))}>
        {t('Zoom in here')}
      </button>
      <button type="button" class="button quiet-button small-button" onClick={close}>
        {t('Close')}
      </button>
    </div>
  );
  return (
    <>
      <div class={`now ${sensor.state === 'firing' ? 'has-alert' : ''}`}>
        <Latest
          {...{ sensor, extent }}
          fields={sensors[0]?.fields}
          beat={view.span === undefined ? 0 : view.range.to}
        />
        <StateNow {...{ sensor, triggers }} />
      </div>
      <SensorChart {...{ sensors, view, marks, spans, thresholds, menu }} extent={around(extent)} isWhole />
      <div class="line">
        {fired.length > 0 && <Key kind="fired" text={t('a trigger fired')} />}
        {noted.length > 0 && <Key kind="note" text={t('a note')} />}
        {view.at !== undefined && <Key kind="named" text={formatDate(view.at)} />}
        <PinButton sensors={[sensor.id, ...others]} range={view.span} />
        <Compare except={[sensor.id]} chosen={others} onChosen={(ids) => setQuery({ with: ids.join() })} />
      </div>
      {!sensor.owner && isSample(sensor) && (
        <TrySample id={sensor.id} isWatched={triggers.length > 0} onSent={firings.reload} />
      )}
      {sensor.owner ? (
        <Section title={t('Triggers')}>
          <p class="quiet">
            {t('Only {person} can watch this sensor. Ask them to add you to the notifications of its triggers.', {
              person: personName(sensor.owner),
            })}
          </p>
        </Section>
      ) : (
        <Section
          title={t('Triggers')}
          actions={
            <a class="button" href={href(`/triggers/new?sensor=${sensor.id}`)}>
              {t('New trigger')}
            </a>
          }
        >
          <SensorTriggers
            sensor={sensor}
            news={arrived + (firings.data?.length ?? 0)}
            onChange={firings.reload}
            onTriggers={setTriggers}
          />
        </Section>
      )}
      <Notes sensorId={sensor.id} notes={notes} isOwner={!sensor.owner} />
    </>
  );
}

/** The view, with a call for each point that arrives while it follows the clock. */
function useCounting(view: View, onPoint: () => void): View {
  return useMemo(
    () => ({
      ...view,
      catchUp: (date: number) => {
        view.catchUp(date);
        onPoint();
      },
    }),
    [view],
  );
}

/** Explains the colour of a mark. */
function Key({ kind, text }: { kind: Mark['kind']; text: string }) {
  return (
    <span class="legend-item small quiet">
      <span class={`swatch ${kind}`} /> {text}
    </span>
  );
}

function all(...acts: (() => void)[]): () => void {
  return () => {
    for (const act of acts) act();
  };
}

/** The range zoomed in around a date. */
function near({ from, to }: Range, date: number): Range {
  const half = (to - from) / 8;
  return { from: date - half, to: date + half };
}

/**
 * The possible initial ranges of a chart that begins with the data: a sensor with a few seconds of data is not shown
 * with an empty day before it.
 */
const SPANS = [60, 300, 900, 3_600, 6 * 3_600, DAY];

/** Data older than a day is shown completely; current data follows the clock. */
function useInitialView(extent: Range): Range | { span: number } {
  const [old] = useState(() => (extent.to > Date.now() / 1000 - DAY ? undefined : around(extent)));
  const age = Math.max(Date.now() / 1000, extent.to) - extent.from;
  return old ?? { span: SPANS.find((span) => age < span * 0.9) ?? DAY };
}

/** Adds a margin, so that no data is at the edge. */
function around({ from, to }: Range): Range {
  const margin = Math.max(30, (to - from) * 0.02);
  return { from: from - margin, to: to + margin };
}

function marksOf(firings: readonly ChartedFiring[], end: number): [Mark[], Span[]] {
  const marks = firings.map(({ at }) => ({ date: at, kind: 'fired' as const }));
  const spans = firings.flatMap(({ at, until }) => (until === undefined ? [] : [{ from: at, to: until ?? end }]));
  return [marks, spans];
}

function namedMark(at: number | undefined): Mark[] {
  return at === undefined ? [] : [{ date: at, kind: 'named' }];
}

/** The sensor and the compared ones, by names that distinguish them. */
function useCharted(sensor: Sensor, others: readonly string[]): Charted[] {
  const fields = useChosenFields();
  const named = useResource(`others ${others.join()}`, async (signal) => {
    if (others.length === 0) return undefined;
    const [names, found] = await Promise.all([
      LOADERS.sensor(),
      Promise.all(others.map((id) => ask(api.get('/sensors/{id}', { params: { path: { id } }, signal })))),
    ]);
    return { names: new Map(names), found: found.map((one) => one.sensor) };
  });
  return useMemo(() => {
    const { names, found = [] } = named.data ?? {};
    return [sensor, ...found].map((one, at) => ({
      ...one,
      name: names?.get(one.id) ?? sensorName(one),
      ...(at === 0 && fields && { fields }),
    }));
  }, [sensor, named.data, fields?.join()]);
}

function NoData({ sensor, reload }: { sensor: Sensor; reload: () => void }) {
  return (
    <Empty title={t('No data yet')}>
      <p>
        {sensor.owner
          ? t('{person} has not uploaded anything to {sensor}.', {
              person: personName(sensor.owner),
              sensor: sensorName(sensor),
            })
          : t('Upload a CSV file, enter a value by hand, or connect a device. Values appear here as they arrive.')}
      </p>
      {!sensor.owner && (
        <div class="actions">
          <DialogButton text={t('Upload data')} title={t('Upload data')} kind="primary">
            {(close) => (
              <Upload
                sensor={sensor}
                close={() => {
                  close();
                  reload();
                }}
              />
            )}
          </DialogButton>
          {sensor.type !== '2' && <ConnectButton sensor={sensor} />}
        </div>
      )}
    </Empty>
  );
}
