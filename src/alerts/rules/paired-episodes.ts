export interface EpisodeSpan {
  sensorId: number;
  beganMs: number;
  /** Null while it is open. */
  endedMs: number | null;
}

export interface PairedEpisodes<T> {
  both: (readonly [T, T])[];
  onlyThis: T[];
  onlyOther: T[];
}

interface Overlap<T> {
  one: T;
  other: T;
  ms: number;
}

/** Pairs episodes of two rules on the same sensor that overlap in time, the greatest overlap first; each at most once. */
export function pairEpisodes<T extends EpisodeSpan>(these: readonly T[], others: readonly T[]): PairedEpisodes<T> {
  const otherOf = bySensor(others);
  const overlaps = [...bySensor(these)].flatMap(([sensorId, own]) => overlapsOf(own, otherOf.get(sensorId) ?? []));
  overlaps.sort((a, b) => b.ms - a.ms || a.one.beganMs - b.one.beganMs || a.other.beganMs - b.other.beganMs);
  const partners = new Map<T, T>();
  const taken = new Set<T>();
  for (const { one, other } of overlaps) {
    if (partners.has(one) || taken.has(other)) continue;
    partners.set(one, other);
    taken.add(other);
  }
  return {
    both: these.flatMap((one) => {
      const other = partners.get(one);
      return other ? [[one, other] as const] : [];
    }),
    onlyThis: these.filter((one) => !partners.has(one)),
    onlyOther: others.filter((other) => !taken.has(other)),
  };
}

function bySensor<T extends EpisodeSpan>(episodes: readonly T[]): Map<number, T[]> {
  const found = new Map<number, T[]>();
  for (const episode of [...episodes].sort((a, b) => a.beganMs - b.beganMs)) {
    const own = found.get(episode.sensorId);
    if (own) own.push(episode);
    else found.set(episode.sensorId, [episode]);
  }
  return found;
}

/** Both in order of their beginnings. */
function overlapsOf<T extends EpisodeSpan>(these: readonly T[], others: readonly T[]): Overlap<T>[] {
  const overlaps: Overlap<T>[] = [];
  let open: T[] = [];
  let next = 0;
  for (const one of these) {
    for (let other = others[next]; other && other.beganMs <= endOf(one); other = others[next]) {
      open.push(other);
      next += 1;
    }
    for (const other of open) {
      const ms = Math.min(endOf(one), endOf(other)) - Math.max(one.beganMs, other.beganMs);
      if (ms >= 0) overlaps.push({ one, other, ms });
    }
    // At most two episodes of a sensor are open at once, and the next of these begins later.
    open = open.filter((other) => endOf(other) >= one.beganMs);
  }
  return overlaps;
}

function endOf({ endedMs }: EpisodeSpan): number {
  return endedMs ?? Number.MAX_SAFE_INTEGER;
}
