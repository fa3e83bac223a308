import { AROUND, type Loop, passEast } from './loop';
import type { Shape } from './shape';

/** What is added to the longitude of a place for loops beyond 180 degrees. */
const SHIFTS = [0, AROUND, -AROUND];
/** More bands would take more memory than they save time. */
const EDGES_OF_BAND = 4;
const BANDS_OF_EDGE = 4;

/**
 * The edges of many shapes, by bands of latitude. A place looks at the edges of one band alone, which follow each other
 * in memory in the order of the shapes.
 */
export class EdgeBands {
  /** Both corners of each edge: latitude, longitude, latitude, longitude. */
  private readonly corners: Float64Array;
  /** The shape of each edge, and the place of its shift: `shape * SHIFTS.length + shift`. */
  private readonly owners: Uint32Array;
  /** The south of each band, and the north of the last one. */
  private readonly bounds: Float64Array;
  /** Where the edges of each band begin in `edges`, and where the last ones end. */
  private readonly starts: Uint32Array;
  private readonly edges: Uint32Array;

  constructor(shapes: readonly Shape[]) {
    const corners: number[] = [];
    const owners: number[] = [];
    for (const [shape, { loops }] of shapes.entries()) {
      for (const loop of loops) {
        for (const shift of shiftsOf(loop)) {
          for (let at = 0; at < loop.corners.length - 2; at += 2) {
            corners.push(...loop.corners.subarray(at, at + 4));
            owners.push(shape * SHIFTS.length + shift);
          }
        }
      }
    }
    this.corners = Float64Array.from(corners);
    this.owners = Uint32Array.from(owners);
    const spans = Float64Array.from(owners.flatMap((_, edge) => latitudesOf(corners, edge)));
    ({ bounds: this.bounds, starts: this.starts } = bandsOf(spans));
    this.edges = edgesOf(spans, this.bounds, this.starts);
  }

  /** The first shape that contains the place, by its index; -1 if none does. On an edge is inside. */
  firstAround(latitude: number, longitude: number): number {
    let shape = -1;
    let isInside = false;
    for (const edge of this.edgesAt(latitude)) {
      const owner = this.owners[edge] ?? 0;
      const shift = owner % SHIFTS.length;
      const next = (owner - shift) / SHIFTS.length;
      if (next !== shape) {
        if (isInside) return shape;
        shape = next;
      }
      const passed = passEast(this.corners, 4 * edge, latitude, longitude + (SHIFTS[shift] ?? 0));
      if (passed === 'edge') return shape;
      if (passed) isInside = !isInside;
    }
    return isInside ? shape : -1;
  }

  private edgesAt(latitude: number): Uint32Array {
    const band = bandOf(this.bounds, latitude);
    return this.edges.subarray(this.starts[band], this.starts[band + 1]);
  }
}

function shiftsOf({ west, east }: Loop): number[] {
  return [0, ...(east >= AROUND / 2 ? [1] : []), ...(west <= -AROUND / 2 ? [2] : [])];
}

function latitudesOf(corners: readonly number[], edge: number): [south: number, north: number] {
  const [a = 0, b = 0] = [corners[4 * edge], corners[4 * edge + 2]];
  return a < b ? [a, b] : [b, a];
}

/** Bands with about as many corners each, and where the edges of each begin. `spans`: the latitudes of each edge. */
function bandsOf(spans: Float64Array): { bounds: Float64Array; starts: Uint32Array } {
  const sorted = spans.slice().sort();
  const edges = spans.length / 2;
  for (let count = Math.max(1, Math.floor(edges / EDGES_OF_BAND)); ; count = Math.ceil(count / 2)) {
    const bounds = Float64Array.from({ length: count + 1 }, (_, at) => {
      return sorted[Math.round((at * (sorted.length - 1)) / count)] ?? 0;
    });
    const starts = startsOf(spans, bounds);
    if (count === 1 || (starts[count] ?? 0) <= BANDS_OF_EDGE * edges) return { bounds, starts };
  }
}

function startsOf(spans: Float64Array, bounds: Float64Array): Uint32Array {
  const count = bounds.length - 1;
  const sums = new Int32Array(count + 2);
  const add = (at: number, by: number) => {
    sums[at] = (sums[at] ?? 0) + by;
  };
  for (let at = 0; at < spans.length; at += 2) {
    add(bandOf(bounds, spans[at] ?? 0) + 1, 1);
    add(bandOf(bounds, spans[at + 1] ?? 0) + 2, -1);
  }
  // From differences to the edges of each band, and from those to the edges before it.
  for (const _ of [1, 2]) for (let at = 1; at <= count; at += 1) add(at, sums[at - 1] ?? 0);
  return Uint32Array.from(sums.subarray(0, count + 1));
}

function edgesOf(spans: Float64Array, bounds: Float64Array, starts: Uint32Array): Uint32Array {
  const edges = new Uint32Array(starts.at(-1) ?? 0);
  const filled = starts.slice();
  for (let at = 0; at < spans.length; at += 2) {
    const last = bandOf(bounds, spans[at + 1] ?? 0);
    for (let band = bandOf(bounds, spans[at] ?? 0); band <= last; band += 1) {
      const place = filled[band] ?? 0;
      edges[place] = at / 2;
      filled[band] = place + 1;
    }
  }
  return edges;
}

/** Never falls with the latitude, so an edge is in the band of each latitude that it meets. */
function bandOf(bounds: Float64Array, latitude: number): number {
  let low = 0;
  let high = bounds.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((bounds[middle] ?? 0) <= latitude) low = middle;
    else high = middle - 1;
  }
  return low;
}
