import {
  keyOfLabel,
  type LabelCall,
  type LabelValue,
  labelKey,
  labelsNamedIn,
  labelValue,
  nameOfKey,
  type UsedLabels,
  usedLabels,
} from '../language/labels';
import type { RunSql } from './transaction';

/** Values by `labelKey`, by sensor. Sensors without one of these labels are left out. */
export async function readLabels(
  run: RunSql,
  sensorIds: readonly number[],
  calls: readonly LabelCall[],
): Promise<Map<number, Map<string, LabelValue>>> {
  const found = new Map<number, Map<string, LabelValue>>();
  const keys = new Set(calls.map(({ label }) => keyOfLabel(label)));
  if (sensorIds.length === 0 || keys.size === 0) return found;
  const names = [...new Set([...keys].map(nameOfKey))];
  const rows = await run(
    `SELECT sensor_id AS sensorId, namespace, name, value FROM metatags
     WHERE sensor_id IN (?) AND name IN (?) AND position = 0`,
    [sensorIds, names],
  );
  for (const { sensorId, namespace, name, value } of rows) {
    const key = labelKey(String(namespace), String(name));
    if (!keys.has(key)) continue;
    const labels = found.get(Number(sensorId)) ?? new Map<string, LabelValue>();
    found.set(Number(sensorId), labels.set(key, labelValue(JSON.parse(String(value)))));
  }
  return found;
}

/** The labels that texts name, as they are now; the labels that a firing `used` come first. */
export type LabelsOfTexts = (sensorId: number, used: UsedLabels | undefined) => UsedLabels;

/** For texts and templates. Reads nothing if they name no label. */
export async function readLabelsOfTexts(
  run: RunSql,
  sensorIds: readonly number[],
  texts: readonly (string | null | undefined)[],
): Promise<LabelsOfTexts> {
  const calls = labelsNamedIn(texts);
  const found = await readLabels(run, sensorIds, calls);
  return (sensorId, used) => {
    const values = found.get(sensorId);
    return { ...(values && usedLabels(calls, { sensorName: '', values })), ...used };
  };
}
