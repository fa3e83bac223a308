import type { IncomingHttpHeaders } from 'node:http';
import { LAST_DATE_MS } from '../../edge/dates';
import { type Label, MAX_LABELS, seriesOf } from './prometheus-series';
import { ProtobufReader } from './protobuf';
import type { SeriesPoint } from './series';
import { uncompressBlock } from './snappy';
import { MessageTooLarge } from './unreadable';

/** Maximum uncompressed size. */
const MAX_BYTES = 10 * 2 ** 20;
/** An upload has as many points at most. A series without samples counts as one. */
const MAX_SAMPLES = 10_000;
/** 10,000 samples with 30 labels each. */
const MAX_FIELDS = 1_000_000;
/** A label or a sample is read in one piece. They have two fields, and may repeat them. */
const MAX_FIELDS_OF_ONE = 1_000;
/** Fields of one step. */
const FIELDS_AT_ONCE = 20_000;
/** Maximum number of described problems. */
const MAX_PROBLEMS = 10;

const TIMESERIES = 0x0a;
const [LABELS, SAMPLES] = [0x0a, 0x12];
const [LABEL_NAME, LABEL_VALUE] = [0x0a, 0x12];
const [SAMPLE_VALUE, SAMPLE_TIMESTAMP] = [0x09, 0x10];

interface Sample {
  value: number;
  dateMs: number;
}

export interface RemoteWrite {
  points: SeriesPoint[];
  /** Why series lack points; for the sender. */
  problems: string[];
}

interface Progress extends RemoteWrite {
  sampleCount: number;
  fieldCount: number;
  isStepDone: boolean;
  undescribedProblems: number;
}

/**
 * Remote write 1.0: a snappy block with a `WriteRequest`. Leaves out staleness markers, values that are not finite,
 * histograms, exemplars and metadata. Steps take a few milliseconds. Throws MessageTooLarge or UnreadableMessage.
 */
export function* readRemoteWrite(body: Uint8Array): Generator<undefined, RemoteWrite> {
  const reader = new ProtobufReader(uncompressBlock(body, MAX_BYTES));
  const progress: Progress = {
    ...{ points: [], problems: [], undescribedProblems: 0 },
    ...{ sampleCount: 0, fieldCount: 0, isStepDone: false },
  };
  while (!reader.isAtEnd) {
    const tag = nextTag(reader, progress);
    if (tag === TIMESERIES) yield* readTimeSeries(reader.message(), progress);
    else reader.skip(tag);
    if (isStepDone(progress)) yield;
  }
  const { points, problems, undescribedProblems } = progress;
  if (undescribedProblems > 0) problems.push(`${undescribedProblems} more series have such problems`);
  return { points, problems };
}

/** Messages of remote write 2.0 cannot be read here. */
export function isRemoteWriteV2(headers: IncomingHttpHeaders): boolean {
  const isMessageV2 = /;\s*proto\s*=\s*"?io\.prometheus\.write\.v2\./i.test(headers['content-type'] ?? '');
  return isMessageV2 || String(headers['x-prometheus-remote-write-version'] ?? '').startsWith('2.');
}

function* readTimeSeries(reader: ProtobufReader, progress: Progress): Generator<undefined, void> {
  const before = progress.sampleCount;
  const labels: Label[] = [];
  const samples: Sample[] = [];
  while (!reader.isAtEnd) {
    const tag = nextTag(reader, progress);
    if (tag === LABELS) {
      addLabel(readLabel(reader.message(), progress), labels);
    } else if (tag === SAMPLES) {
      countSample(progress);
      const sample = readSample(reader.message(), progress);
      if (Number.isFinite(sample.value)) samples.push(sample);
    } else reader.skip(tag);
    if (isStepDone(progress)) yield;
  }
  if (progress.sampleCount === before) countSample(progress);
  if (samples.length > 0) addPoints(labels, samples, progress);
}

function addLabel(label: Label, labels: Label[]): void {
  if (label.value !== '' && labels.length <= MAX_LABELS) labels.push(label);
}

function countSample(progress: Progress): void {
  progress.sampleCount += 1;
  if (progress.sampleCount <= MAX_SAMPLES) return;
  throw new MessageTooLarge(`the body has more than ${MAX_SAMPLES} samples, or series without samples`);
}

function nextTag(reader: ProtobufReader, progress: Progress, most = MAX_FIELDS): number {
  progress.fieldCount += 1;
  if (progress.fieldCount > MAX_FIELDS) throw new MessageTooLarge(`the body has more than ${MAX_FIELDS} fields`);
  if (progress.fieldCount > most) {
    throw new MessageTooLarge(`a label or a sample has more than ${MAX_FIELDS_OF_ONE} fields`);
  }
  if (progress.fieldCount % FIELDS_AT_ONCE === 0) progress.isStepDone = true;
  return reader.tag();
}

/** True once after each step. */
function isStepDone(progress: Progress): boolean {
  const { isStepDone: isDone } = progress;
  progress.isStepDone = false;
  return isDone;
}

function addPoints(labels: readonly Label[], samples: readonly Sample[], progress: Progress): void {
  const found = seriesOf(labels);
  if ('problem' in found) {
    addProblem(found.problem, progress);
    return;
  }
  const { series } = found;
  const dated = samples.filter(({ dateMs }) => dateMs >= 0 && dateMs <= LAST_DATE_MS);
  for (const { value, dateMs } of dated) progress.points.push({ series, value: String(value), dateMs });
  const undated = samples.length - dated.length;
  if (undated > 0) addProblem(`the series ${series.title} has ${undated} samples before 1970 or after 9999`, progress);
}

function addProblem(problem: string, progress: Progress): void {
  if (progress.problems.length < MAX_PROBLEMS) progress.problems.push(problem);
  else progress.undescribedProblems += 1;
}

function readLabel(reader: ProtobufReader, progress: Progress): Label {
  const label: Label = { name: '', value: '' };
  const most = progress.fieldCount + MAX_FIELDS_OF_ONE;
  while (!reader.isAtEnd) {
    const tag = nextTag(reader, progress, most);
    if (tag === LABEL_NAME) label.name = reader.text();
    else if (tag === LABEL_VALUE) label.value = reader.text();
    else reader.skip(tag);
  }
  return label;
}

function readSample(reader: ProtobufReader, progress: Progress): Sample {
  const sample: Sample = { value: 0, dateMs: 0 };
  const most = progress.fieldCount + MAX_FIELDS_OF_ONE;
  while (!reader.isAtEnd) {
    const tag = nextTag(reader, progress, most);
    if (tag === SAMPLE_VALUE) sample.value = reader.double();
    else if (tag === SAMPLE_TIMESTAMP) sample.dateMs = reader.varint();
    else reader.skip(tag);
  }
  return sample;
}
