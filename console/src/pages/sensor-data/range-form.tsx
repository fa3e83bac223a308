import { useEffect, useRef, useState } from 'preact/hooks';
import { api, ask, messageOf } from '../../api';
import { formatDate, TIME_ZONE } from '../../format';
import { many, t } from '../../language';
import { DateTimeField, readDateTime } from '../../ui/date-time-field';
import { Form } from '../../ui/form';
import { Problem } from '../../ui/page';
import { say } from '../../ui/toast';
import { useResource } from '../../use-resource';

/** In unix seconds; both ends are deleted. */
interface Range {
  start_date: number;
  end_date: number;
}

/** Fields show whole seconds, like the list: the last second is deleted completely. */
const REST_OF_SECOND = 0.999;

/** Deletes the points of a range after a confirmation, and reports their number. */
export function RangeForm({ id, close, onDone }: { id: string; close: () => void; onDone: () => void }) {
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const [deleted, setDeleted] = useState(0);
  const range = rangeOf(from, to);
  const isOrdered = range !== undefined && range.start_date <= range.end_date;
  const count = useResource(`count ${id} ${isOrdered ? `${from} ${to}` : ''}`, async (signal) => {
    if (!isOrdered) return undefined;
    const query = { ...range, per_page: 1, total: true };
    return (await ask(api.get('/sensors/{id}/data', { params: { path: { id }, query }, signal }))).total ?? 0;
  });
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const submit = async () => {
    if (!range) return;
    setDeleted(0);
    try {
      const { total, isAll } = await deleteAll(id, range, () => isClosed.current, setDeleted);
      close();
      say(
        isAll
          ? many(total, '{n} point was deleted.', '{n} points were deleted.')
          : many(total, '{n} point was deleted before you stopped.', '{n} points were deleted before you stopped.'),
      );
    } finally {
      onDone();
      count.reload();
    }
  };
  return (
    <Form label={t('Delete the range')} kind="danger" submit={submit} onCancel={close} ready={(count.data ?? 0) > 0}>
      <DateTimeField label={t('From')} value={from} onValue={setFrom} />
      <DateTimeField label={t('To')} value={to} onValue={setTo} />
      <p class="hint">{t('Times are in {zone}. Both ends belong to the range.', { zone: TIME_ZONE })}</p>
      {range && !isOrdered && <p class="problem">{t('“To” must not be before “From”.')}</p>}
      {count.error !== undefined && <Problem error={count.error} retry={count.reload} />}
      {range && count.data !== undefined && <Consequence range={range} count={count.data} />}
      {deleted > 0 && <p role="status">{many(deleted, '{n} point deleted so far.', '{n} points deleted so far.')}</p>}
    </Form>
  );
}

/** Undefined while one of the ends is missing or invalid. */
function rangeOf(from: string, to: string): Range | undefined {
  const [start, end] = [readDateTime(from).seconds, readDateTime(to).seconds];
  return start === undefined || end === undefined
    ? undefined
    : { start_date: start, end_date: Math.round((end + REST_OF_SECOND) * 1000) / 1000 };
}

function Consequence({ range: { start_date, end_date }, count }: { range: Range; count: number }) {
  const when = { from: formatDate(start_date), to: formatDate(Math.floor(end_date)) };
  if (count === 0) return <p role="status">{t('There are no points from {from} to {to}.', when)}</p>;
  return (
    <p class="message warn" role="status">
      {many(
        count,
        '{n} point from {from} to {to} will be deleted for everyone. This cannot be undone. Alerts that it caused stay.',
        'All {n} points from {from} to {to} will be deleted for everyone. This cannot be undone. Alerts that they caused stay.',
        when,
      )}
    </p>
  );
}

/** Repeats the request until the range is empty, or the dialog is closed. An error reports the progress. */
async function deleteAll(
  id: string,
  query: Range,
  isStopped: () => boolean,
  onDeleted: (total: number) => void,
): Promise<{ total: number; isAll: boolean }> {
  let total = 0;
  try {
    for (;;) {
      const { deleted, more } = await ask(api.delete('/sensors/{id}/data', { params: { path: { id }, query } }));
      total += deleted;
      if (!more || isStopped()) return { total, isAll: !more };
      onDeleted(total);
    }
  } catch (error) {
    if (total === 0) throw error;
    throw new Error(
      many(
        total,
        '{n} point deleted, then it failed: {error} Delete the range again.',
        '{n} points deleted, then it failed: {error} Delete the range again.',
        { error: messageOf(error) },
      ),
    );
  }
}
