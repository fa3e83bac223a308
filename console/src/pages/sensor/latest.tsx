import { useEffect, useRef } from 'preact/hooks';
import { api, ask, type Records } from '../../api';
import type { Extent } from '../../chart/load';
import { formatAge, formatDate, formatExact, readFields, valueParts } from '../../format';
import { t } from '../../language';
import { useResource } from '../../use-resource';

type Sensor = Records['OwnedSensorView'];

const MOST_FIELDS = 8;

/** The fields of a JSON value to show; the first ones if undefined. */
type Fields = readonly string[] | undefined;

interface LatestProps {
  sensor: Sensor;
  /** Has the newest value at first. */
  extent: Extent;
  fields: Fields;
  beat: number;
}

/** The newest value of a sensor, with its unit; reloaded when the chart has moved. */
export function Latest({ sensor, extent, fields, beat }: LatestProps) {
  const { id } = sensor;
  const latest = useResource(
    `latest ${id}`,
    async (signal): Promise<{ date: number; value: string } | undefined> => {
      const { data } = await ask(
        api.get('/sensors/{id}/data', { params: { path: { id }, query: { last: true } }, signal }),
      );
      return data[0];
    },
    { everyMs: 5_000, known: { date: extent.to, value: extent.last } },
  );
  const seen = useRef(beat);
  useEffect(() => {
    if (beat !== seen.current) latest.reload();
    seen.current = beat;
  }, [beat]);
  if (!latest.data) return null;
  const { value, date } = latest.data;
  return (
    <div>
      <BigValue {...{ value, sensor, fields }} />
      <time class="quiet" dateTime={new Date(date * 1000).toISOString()}>
        {formatAge(date)}, {formatDate(date)}
      </time>
    </div>
  );
}

/** Fields one by one; other values unchanged. */
function BigValue({ value, sensor, fields: wanted }: { value: string; sensor: Sensor; fields: Fields }) {
  const all = Object.entries(readFields(value) ?? {});
  const fields = all.filter(([name]) => wanted?.includes(name) ?? true).slice(0, MOST_FIELDS);
  if (fields.length === 0) return <Figure value={value} unit={sensor.unit} />;
  return (
    <>
      <dl class="stats">
        {fields.map(([name, field]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <Figure value={String(field)} unit={sensor.field_units[name]} />
            </dd>
          </div>
        ))}
      </dl>
      {fields.length < all.length && (
        <p class="small quiet">{t('{n} of {total} fields', { n: fields.length, total: all.length })}</p>
      )}
    </>
  );
}

function Figure({ value, unit = '' }: { value: string; unit: string | undefined }) {
  const shown = valueParts(value, { unit });
  return (
    <div class="big-value" title={Number.isFinite(Number(value)) ? formatExact(value) : undefined}>
      {shown.value}
      {shown.unit && <span class="big-unit"> {shown.unit}</span>}
    </div>
  );
}
