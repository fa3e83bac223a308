import { fieldWordsIn, Sample, type TextValues, whyEmptyIn } from '../../language/notification-text';
import { type Compute, inOneStep } from '../../platform/steps';
import type { RunSql } from '../../storage/transaction';
import { kindOf } from '../kinds';
import type { Alert } from './alert';
import type { DeliveryRow } from './attempt';

/** Which fields of a plain text its values do not have, and why; undefined if none. */
export function textNote(text: string, values: TextValues): string | undefined {
  const why = whyEmptyIn(text, values);
  return why && `text: ${why}`;
}

/** The note on the text of a firing, of an end or of a test; by the present text of its notification or trigger. */
export async function findTextNote(run: RunSql, row: DeliveryRow, compute: Compute): Promise<string | undefined> {
  if (!kindOf(row).showsValues) return undefined;
  const text = row.kind === 'end' ? await readEndText(run, row) : row.present_text;
  if (!text || fieldWordsIn(text).length === 0) return undefined;
  const values = await readValues(run, row);
  return values && compute(inOneStep(() => textNote(text, values)));
}

async function readEndText(run: RunSql, { trigger_id: triggerId }: DeliveryRow): Promise<string | null> {
  const [row] =
    triggerId === null ? [] : await run('SELECT resolved_text AS text FROM triggers WHERE id = ?', [triggerId]);
  return row?.text === undefined || row.text === null ? null : String(row.text);
}

async function readValues(run: RunSql, { details, firing_id: firingId }: DeliveryRow): Promise<TextValues | undefined> {
  if (details !== null) {
    const { variables, isSample, value }: Alert = JSON.parse(details);
    return { ...variables, ...(isSample && value !== null && { sensor_data_value: new Sample(value) }) };
  }
  const [row] = firingId === null ? [] : await run('SELECT variables FROM firings WHERE id = ?', [firingId]);
  return row && JSON.parse(String(row.variables));
}
