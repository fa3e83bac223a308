import { finish, type Steps } from '../../../platform/steps';
import type { Features } from './features';

export interface Example {
  readonly label: string;
  readonly features: Features;
}

/** A coordinate is centered, scaled, and weighted by how well it separates the labels. */
export interface Axis {
  readonly name: string;
  readonly mean: number;
  readonly factor: number;
}

/** Plain data that survives JSON. The same examples always make the same model. */
export interface Model {
  readonly labels: readonly string[];
  readonly axes: readonly Axis[];
  readonly examples: readonly { readonly label: number; readonly at: readonly number[] }[];
}

/** `confidence`: share of the votes, 0 to 1. */
export type Recognition = {
  readonly label: string;
  readonly confidence: number;
};

const NEIGHBOURS = 7;
// Limits of a stored model (about half a megabyte) and of a recognition (about a millisecond).
const MAX_EXAMPLES = 1_000;
const MAX_AXES = 64;
const SIGNIFICANT_DIGITS = 5;
// A smaller relative spread is a rounding error.
const ROUNDING = 1e-9;
const SMALLEST_SPREAD = 1e-100;
// More deviations add no information, and the square of this many is finite.
const FARTHEST = 1e6;

/** Takes as many of each label, in the same order. */
export function usedExamples<Item extends { readonly label: string }>(examples: readonly Item[]): Item[] {
  const groups = new Map<string, Item[]>();
  for (const example of examples) groups.set(example.label, [...(groups.get(example.label) ?? []), example]);
  const used = [...groups.values()].flatMap((group) => evenly(group, MAX_EXAMPLES / groups.size));
  const isUsed = new Set(used);
  return examples.filter((example) => isUsed.has(example));
}

/** A model of fewer than two labels recognizes nothing. */
export function learn(examples: readonly Example[]): Model {
  return finish(learning(examples));
}

/** Steps take some ms at most. */
export function* learning(examples: readonly Example[]): Steps<Model> {
  const labels = [...new Set(examples.map(({ label }) => label))].sort();
  if (labels.length < 2) return { labels, axes: [], examples: [] };
  const groups = labels.map((label) =>
    evenly(
      examples.filter((example) => example.label === label).map(({ features }) => features),
      MAX_EXAMPLES / labels.length,
    ),
  );
  const axes = yield* chooseAxes(groups);
  return {
    labels,
    axes,
    examples: groups.flatMap((group, label) => group.map((features) => ({ label, at: place(axes, features) }))),
  };
}

/** The nearest examples vote, weighted by distance. Requires `canRecognise`. */
export function recognise(model: Model, features: Features): Recognition {
  const here = place(model.axes, features);
  const nearest = model.examples
    .map(({ label, at }) => ({ label, distance: squaredDistance(here, at) }))
    .sort((one, other) => one.distance - other.distance)
    .slice(0, NEIGHBOURS);
  // The nearest distance is the scale, so an exact match does not divide by zero.
  const scale = (nearest[0]?.distance ?? 0) + Number.EPSILON;
  const votes = model.labels.map(() => 0);
  for (const { label, distance } of nearest) votes[label] = (votes[label] ?? 0) + scale / (distance + scale);
  const most = Math.max(...votes);
  const all = votes.reduce((sum, vote) => sum + vote, 0);
  return { label: model.labels[votes.indexOf(most)] ?? '', confidence: most / all };
}

export function canRecognise({ labels }: Model): boolean {
  return labels.length > 1;
}

export function evenly<Item>(items: readonly Item[], atMost: number): Item[] {
  const limit = Math.max(1, Math.floor(atMost));
  if (items.length <= limit) return [...items];
  return Array.from({ length: limit }, (_, at) => items[Math.floor((at * items.length) / limit)]).flatMap((item) =>
    item === undefined ? [] : [item],
  );
}

function* chooseAxes(groups: readonly (readonly Features[])[]): Steps<Axis[]> {
  const names = new Set<string>();
  for (const features of groups.flat()) {
    for (const name of Object.keys(features)) names.add(name);
    yield;
  }
  const measured: ReturnType<typeof measureAxis> = [];
  for (const name of [...names].sort()) {
    measured.push(...measureAxis(name, groups));
    yield;
  }
  return measured
    .sort((one, other) => other.relevance - one.relevance)
    .slice(0, MAX_AXES)
    .map(({ name, mean, spread, relevance }) => ({ name, mean, factor: relevance / spread }));
}

function measureAxis(name: string, groups: readonly (readonly Features[])[]) {
  const known = groups.map((group) => group.flatMap((features) => features[name] ?? []));
  const mean = meanOf(known.flat());
  const spread = Math.sqrt(meanOf(known.flat().map((value) => (value - mean) ** 2)));
  if (!(spread > Math.max(Math.abs(mean) * ROUNDING, SMALLEST_SPREAD))) return [];
  let between = 0;
  let within = 0;
  for (const group of known) {
    const values = group.map((value) => (value - mean) / spread);
    const centre = meanOf(values);
    between += values.length * centre ** 2;
    within += values.reduce((sum, value) => sum + (value - centre) ** 2, 0);
  }
  // Correlation ratio: 1 when the label alone decides the feature, 0 when it is independent of it.
  return [{ name, mean, spread, relevance: Math.sqrt(between / (between + within)) }];
}

/** A missing feature is in the middle, where it favors no label. */
function place(axes: readonly Axis[], features: Features): number[] {
  return axes.map(({ name, mean, factor }) => {
    const value = features[name];
    if (value === undefined) return 0;
    const coordinate = Math.max(-FARTHEST, Math.min(FARTHEST, (value - mean) * factor));
    return Number(coordinate.toPrecision(SIGNIFICANT_DIGITS));
  });
}

function squaredDistance(one: readonly number[], other: readonly number[]): number {
  let sum = 0;
  for (let axis = 0; axis < one.length; axis += 1) sum += ((one[axis] ?? 0) - (other[axis] ?? 0)) ** 2;
  return sum;
}

function meanOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
