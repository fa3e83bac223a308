import { newestDateSql } from './newest-rows';

/** The median distance of the newest 13 points in three parts of four: a gap or a burst does not change it. */
export const PER_PART = 4;
export const USUAL_DISTANCES = 3;
export const LEAST_MS = 60_000;
export const UNKNOWN_MS = 86_400_000;

/**
 * True if sensor `s` lacks data for longer than expected. The first true condition decides, so a recent point costs one
 * look into the index.
 */
export function inactiveSql(nowMs: number): string {
  const now = Number(nowMs);
  const [newest, ...others] = [0, 1, 2, 3].map((part) => newestDateSql('s.id', part * PER_PART));
  const begun = `COALESCE(${newest}, s.created_ms)`;
  const mean = (points: number) => `(${newest} - ${newestDateSql('s.id', points)}) / ${points}`;
  const few = [8, PER_PART, 2].map(mean).join(', ');
  // Two of three parts are shorter if and only if the median is.
  const parts = others.map(
    (end, index) => `(${index === 0 ? newest : others[index - 1]} - ${end}
    < ${PER_PART} * (${now} - ${newest}) / ${USUAL_DISTANCES})`,
  );
  return `(CASE WHEN NOT s.use_data_storage THEN FALSE
    WHEN s.expected_interval IS NOT NULL THEN ${begun} < ${now} - 1000 * s.expected_interval
    WHEN ${begun} >= ${now - LEAST_MS} THEN FALSE
    WHEN ${newestDateSql('s.id', 2)} IS NULL THEN ${begun} < ${now - UNKNOWN_MS}
    WHEN ${others.at(-1)} IS NULL THEN ${USUAL_DISTANCES} * COALESCE(${few}) < ${now} - ${newest}
    ELSE ${parts.join(' + ')} >= 2 END)`;
}
