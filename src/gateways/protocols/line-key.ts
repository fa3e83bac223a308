import {
  COMMA,
  EQUALS,
  findUnescaped,
  LineProblem,
  readMeasurement,
  readName,
  show,
  splitUnescaped,
  writeMeasurement,
  writeName,
} from './line-text';
import { MAX_SERIES_NAME, type Series, type SeriesDataType } from './series';

const NO_UNITS: Series['units'] = Object.freeze({});

interface Tag {
  name: string;
  value: string;
}

/** The name has the tags in order: their order in a line does not matter. */
export function readKey(key: string, dataType: SeriesDataType): Series {
  if (key.length > MAX_SERIES_NAME) throw tooLong();
  const { title, tags } = partsOf(key);
  const written = inOrder(tags).map(({ name, value }) => `${writeName(name)}=${writeName(value)}`);
  const name = [writeMeasurement(title), ...written].join(',');
  if (name.length > MAX_SERIES_NAME) throw tooLong();
  return new LineSeries(name, title, dataType);
}

/** Thousands wait to be stored: tags are read only if a sensor is made. */
class LineSeries implements Series {
  readonly namespace = 'influx';
  readonly source = 'influx';
  readonly units = NO_UNITS;

  constructor(
    readonly name: string,
    readonly title: string,
    readonly dataType: SeriesDataType,
  ) {}

  get tags(): Readonly<Record<string, string>> {
    return Object.fromEntries(partsOf(this.name).tags.map(({ name, value }) => [name, value]));
  }
}

function partsOf(key: string): { title: string; tags: readonly Tag[] } {
  const [measurement = '', ...rest] = splitUnescaped(key, COMMA);
  const title = readMeasurement(measurement);
  if (title === '') throw new LineProblem('has no measurement');
  return { title, tags: rest.map(readTag) };
}

function readTag(text: string): Tag {
  const at = findUnescaped(text, EQUALS, 0, text.length);
  if (at <= 0 || at === text.length - 1) {
    throw new LineProblem(`has the tag ${show(text)}, which is not name=value`);
  }
  return { name: readName(text.slice(0, at)), value: readName(text.slice(at + 1)) };
}

/** Agents write tags in order already. */
function inOrder(tags: readonly Tag[]): readonly Tag[] {
  const isSorted = tags.every(({ name }, index) => index === 0 || (tags[index - 1]?.name ?? '') < name);
  if (isSorted) return tags;
  const sorted = [...tags].sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const [index, { name }] of sorted.entries()) {
    if (sorted[index - 1]?.name === name) throw new LineProblem(`has the tag ${show(name)} twice`);
  }
  return sorted;
}

function tooLong(): LineProblem {
  return new LineProblem(`has measurement and tags of more than ${MAX_SERIES_NAME} characters`);
}
