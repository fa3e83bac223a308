import assert from 'node:assert/strict';
import { Rendering } from '../../src/language/templates/template';
import { PRESETS } from '../../src/notifications/presets';
import type { PresetRequest } from '../../src/notifications/presets/preset';
import { readPresetValues } from '../../src/notifications/presets/preset-values';
import { compileUrl } from '../../src/notifications/requests/url-template';
import { compileBody } from '../../src/notifications/requests/webhook-body';
import { finish } from '../../src/platform/steps';
import { Words } from '../../src/platform/words/words';
import type { ServiceRequest, ServiceRules } from './services/service';

/** The values of a firing for templates. */
const FIRING = {
  ...{
    text: 'greenhouse: 31.2',
    title: 'too warm on greenhouse',
    message: 'greenhouse: 31.2',
    kind: 'trigger',
    test: false,
    state: 'firing',
  },
  ...{ severity: 'critical', webhook_id: 'msg_207', episode: '207', unit: '°C', duration: 60, date: 1_795_229_544 },
  ...{ trigger_description: 'sensor_data_value > 30', sensor_data_value: '31.2', event: '', subject_id: '' },
  ...{ acknowledge_url: 'https://s.example.org/acknowledge?token=n1-207.x', source_id: '', user_id: '' },
  ...{ chart_url: 'https://s.example.org/console/sensors/42', sensor_id: '42', sensor_name: 'greenhouse' },
  ...{ trigger_id: '5', trigger_name: 'too warm' },
};

/** The request of a service's preset for a firing, as the service reads it. */
export function composePreset(rules: ServiceRules, words = Words.english): ServiceRequest {
  const preset = PRESETS.find(({ name }) => name === rules.preset) ?? assert.fail(rules.preset);
  const read = readPresetValues(preset, rules.values('http://service'));
  if ('problem' in read) assert.fail(`${rules.preset}: ${read.problem.field} ${read.problem.error}`);
  return rendered(preset.fill(read.values, words));
}

function rendered({ destination, method, headers, secrets, contentType, body }: PresetRequest): ServiceRequest {
  const rendering = new Rendering(FIRING, { ...FIRING, secrets });
  const [url, content] = [compileUrl(destination), compileBody(contentType, body)];
  if ('problem' in url || 'problem' in content) assert.fail(`${destination} has a problem`);
  const { pathname, searchParams } = new URL(finish(url.url.render(rendering)));
  const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    method,
    path: pathname.slice(1).split('/').map(decodeURIComponent),
    query: searchParams,
    headers: { ...Object.fromEntries(named), 'content-type': contentType },
    text: finish(content.body.render(rendering)),
  };
}
