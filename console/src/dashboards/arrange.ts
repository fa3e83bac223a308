/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

export interface Box extends Size {
  left: number;
  top: number;
}

/** What gets a label: its place, and the sizes that its label may have, the best first. */
export interface Spot {
  x: number;
  y: number;
  sizes: readonly Size[];
  /** True if it shares no count with others that are not urgent, as long as there is room. */
  isUrgent: boolean;
}

/** A label for one spot in one of its sizes, or the count of several spots. */
export interface Label {
  /** Indices of the spots. */
  of: readonly number[];
  /** Index of the size; a count has 0. */
  size: number;
  box: Box;
  /** The middle of its spots. */
  x: number;
  y: number;
}

interface Group extends Spot {
  of: readonly number[];
}

const GAP = 2;
/** Half of the dot that marks a spot next to its label. */
export const DOT = 4;

/**
 * Places labels so that none overlaps another: on the spot, or next to it, or smaller. Spots without room for a label
 * share a count with the nearest ones. The most important spots come first.
 */
export function arrange(spots: readonly Spot[], room: Size, count: Size, taken: readonly Box[] = []): Label[] {
  let groups: Group[] = spots.map((spot, at) => ({ ...spot, of: [at] }));
  for (;;) {
    const labels: Label[] = [];
    const left: Group[] = [];
    for (const group of groups) {
      const label = placed(group, room, [...taken, ...labels.map(({ box }) => box)]);
      if (label) labels.push(label);
      else left.push(group);
    }
    if (left.length === 0 || groups.length < 2) return labels;
    for (const group of left) groups = merged(groups, group, count);
  }
}

/** Joins a group with the nearest one that is as urgent, or else with the nearest one. */
function merged(groups: readonly Group[], group: Group, count: Size): Group[] {
  const far = (one: Group) => Math.hypot(one.x - group.x, one.y - group.y);
  const others = groups.filter((one) => one !== group);
  if (others.length === groups.length || others.length === 0) return [...groups];
  const alike = others.filter((one) => one.isUrgent === group.isUrgent);
  const near = (alike.length > 0 ? alike : others).reduce((best, one) => (far(one) < far(best) ? one : best));
  const [a, b] = [group.of.length, near.of.length];
  const joined = {
    of: [...near.of, ...group.of].sort((one, other) => one - other),
    x: (group.x * a + near.x * b) / (a + b),
    y: (group.y * a + near.y * b) / (a + b),
    sizes: [count],
    isUrgent: group.isUrgent || near.isUrgent,
  };
  return others.map((one) => (one === near ? joined : one)).sort((one, other) => (one.of[0] ?? 0) - (other.of[0] ?? 0));
}

/** The first place and size that are free: shorter on the spot comes before longer next to it. */
function placed({ of, x, y, sizes }: Group, room: Size, taken: readonly Box[]): Label | undefined {
  const smallest = sizes.length - 1;
  const tries = [
    ...sizes.map((one, size) => ({ size, places: placesOf({ x, y }, one, 0) })),
    ...sizes.map((one, size) => ({ size, places: placesOf({ x, y }, one, 1) })),
    { size: smallest, places: placesOf({ x, y }, sizes[smallest], 2) },
  ];
  for (const { size, places } of tries) {
    const box = places
      .map((one) => ({
        ...one,
        left: within(one.left, room.width - one.width),
        top: within(one.top, room.height - one.height),
      }))
      .find((one) => one.width <= room.width && one.height <= room.height && !meets(one, taken));
    if (box) return { of, size, box, x, y };
  }
  return undefined;
}

/** Boxes around a spot: `far` is 0 for those on it, and larger for those farther from it. */
function placesOf({ x, y }: { x: number; y: number }, size: Size | undefined, far: number): Box[] {
  const { width, height } = size ?? { width: 0, height: 0 };
  return WAYS.slice(0, far === 0 ? 1 : undefined).map(([right, down]) => ({
    left: x - width / 2 + far * right * (width / 2 + 2 * DOT),
    top: y - height / 2 + far * down * (height / 2 + 2 * DOT),
    ...{ width, height },
  }));
}

/** On the spot, and next to it. */
const WAYS = [
  ...[[0, 0] as const, [0, -1] as const, [0, 1] as const, [1, 0] as const, [-1, 0] as const],
  ...[[1, -1] as const, [-1, -1] as const, [1, 1] as const, [-1, 1] as const],
];

function within(value: number, most: number): number {
  return Math.max(0, Math.min(value, most));
}

function meets({ left, top, width, height }: Box, taken: readonly Box[]): boolean {
  return taken.some(
    (one) =>
      left < one.left + one.width + GAP &&
      one.left < left + width + GAP &&
      top < one.top + one.height + GAP &&
      one.top < top + height + GAP,
  );
}

/** True if the label lies next to its spot, which has a dot then. */
export function isAside({ box: { left, top, width, height }, x, y }: Label): boolean {
  return x < left || x > left + width || y < top || y > top + height;
}
