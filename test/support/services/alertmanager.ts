import { isWebAddress, jsonIn, objectOf, objectsOf, requireThat, type ServiceRules } from './service';

const [USERNAME, PASSWORD] = ['sensors', 'correct horse'];
/** RFC 3339, as Go reads it. */
const DATE = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The list of alerts: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml. Empty labels are dropped,
 * one label must be left, and the end must not come before the start:
 * https://github.com/prometheus/alertmanager/blob/main/api/v2/api.go and
 * https://github.com/prometheus/common/blob/main/model/alert.go. An alert is the same if its labels are
 * (https://prometheus.io/docs/alerting/latest/alerts_api/). It has no rate limit; a proxy before it may have one.
 */
export const alertmanager: ServiceRules = {
  preset: 'alertmanager',
  values: (url) => ({ server: url, username: USERNAME, password: PASSWORD }),
  wrong: (url) => ({ server: url, username: USERNAME, password: 'unknown' }),
  tooMany: (seconds) => ({ status: 429, headers: { 'Retry-After': String(seconds) } }),
  take: (request) => {
    const expected = `Basic ${Buffer.from(`${USERNAME}:${PASSWORD}`).toString('base64')}`;
    requireThat(request.headers.authorization === expected, { status: 401, body: 'Unauthorized' });
    requireThat(request.path.join('/') === 'api/v2/alerts', { status: 404, body: 'path was not found' });
    const wrong = (why: string) => ({ status: 400, body: why });
    const alerts = objectsOf(jsonIn(request, wrong('parsing alerts body from "" failed')));
    requireThat(alerts.length > 0, wrong('alerts in body is required'));
    const [{ labels, annotations, startsAt, endsAt, generatorURL } = {}] = alerts;
    const sets = [objectOf(labels), objectOf(annotations)];
    const isStrings = sets.every((set) => Object.values(set).every((value) => typeof value === 'string'));
    requireThat(isStrings, wrong('invalid labels'));
    const kept = Object.entries(objectOf(labels)).filter(([, value]) => value !== '');
    requireThat(kept.length > 0, wrong('at least one label pair required'));
    for (const date of [startsAt, endsAt]) requireThat(DATE.test(String(date)), wrong('must be of type date-time'));
    const [start, end] = [startsAt, endsAt].map((date) => Date.parse(String(date)));
    requireThat(Number(start) <= Number(end), wrong('start time must be before end time'));
    requireThat(generatorURL === '' || isWebAddress(generatorURL), wrong('generatorURL must be of type uri'));
    const { summary, description } = objectOf(annotations);
    const shown = {
      ...{ title: String(summary), text: String(description), urgency: String(objectOf(labels).severity) },
      ...{ key: JSON.stringify(kept.sort()), whole: JSON.stringify([labels, annotations, startsAt, endsAt]) },
    };
    return { shown, answer: { status: 200 } };
  },
};
