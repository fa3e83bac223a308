import assert from 'node:assert/strict';
import { usePlatform, useUser } from '../../support/hooks';
import { timed } from '../../support/stopwatch';

/** Expectations that hold and, in the same order, what is reported of those that do not. */
interface Case {
  trigger: object;
  test: { points?: object[]; labels?: object; expect: object[]; timezone?: string };
  differences?: string[];
  more?: object;
}

describe('the tests of a rule set', () => {
  const platform = usePlatform();
  const user = useUser(platform);

  const run = async ({ trigger, test, more = {} }: Case) => {
    const document = {
      set: 'store',
      triggers: [{ name: 'rule', ...trigger }],
      tests: [{ name: 'test', trigger: 'rule', ...test }],
      ...more,
    };
    const { status, body } = await user.api.post('/rules/test', document);
    assert.equal(status, 200, JSON.stringify(body));
    return body.tests[0].differences.map(
      ({ path, error }: { path: string; error: string }) => `${path.replace('tests[0].', '')} ${error}`,
    );
  };
  const passes = async (one: Case) => assert.deepEqual(await run(one), one.differences ?? []);
  const warm = { expression: 'sensor_data_value > 30', repeat: 0 };

  it('decide as live data does: hold, repeats, ends and the minute between firings', async () => {
    await passes({
      trigger: { ...warm, hold: 60, repeat: 120, keep_firing_for: 30 },
      test: {
        points: [0, 60, 119, 180, 240, 300].map((at, index) => ({ at, value: [31, 31, 31, 31, 20, 20][index] })),
        expect: [
          { at: 59, state: 'pending', fires: false },
          { at: 60, state: 'firing', fires: true, severity: 'warning' },
          { at: 119, fires: false },
          { at: 180, fires: true },
          { at: 269, state: 'firing', resolves: false },
          { at: 270, state: 'ok', resolves: true },
        ],
      },
    });
    await passes({
      trigger: { ...warm, hold: 60 },
      test: { points: [{ at: '21:00', value: 31 }], expect: [{ at: '21:01', state: 'firing', fires: true }] },
    });
  });

  it('read the labels that they give, and no others', async () => {
    const trigger = { expression: 'sensor_data_value > label("limit") and label("shop:floor", 0) == 2', repeat: 0 };
    const points = [{ at: 0, value: 9 }];
    await passes({
      trigger,
      test: { points, labels: { limit: '8', 'shop:floor': 2 }, expect: [{ at: 0, fires: true }] },
    });
    await passes({
      trigger,
      test: { points, expect: [{ at: 0, fires: true }] },
      differences: [
        'expect[0].fires it does not fire then: it did not until then; a point could not be evaluated: the sensor "test" has no label "limit"',
      ],
    });
  });

  it("read today's zones of the user", async () => {
    const gps_outline = '52 4,52 5,53 5,53 4';
    const created = await user.api.post('/environments', { environment: { name: 'yard', gps_outline } });
    assert.equal(created.status, 201);
    const at = (time: number, latitude: number | null) => ({ at: time, value: { latitude, longitude: 4.5 } });
    await passes({
      trigger: { expression: 'in_zone("yard") and zone() == "yard"', repeat: 0 },
      test: {
        points: [at(0, 51), at(60, 52.5), at(120, null), at(180, 51)],
        expect: [
          { at: 0, state: 'ok' },
          { at: 60, fires: true },
          { at: 120, state: 'firing' },
          { at: 180, resolves: true },
        ],
      },
    });
    await user.api.delete(`/environments/${created.body.environment.id}`);
    await passes({
      trigger: { expression: 'in_zone("yard")', repeat: 0 },
      test: { points: [at(0, 52.5)], expect: [{ at: 0, state: 'ok' }] },
    });
  });

  it('report what happens instead, with the place of the expectation', async () => {
    await passes({
      trigger: { ...warm, severity: 'critical' },
      test: {
        points: [
          { at: '21:00', value: 31 },
          { at: '21:05', value: 'warm' },
          { at: '21:10', value: 20 },
        ],
        expect: [
          { at: '21:00', state: 'ok', fires: false, severity: 'info', notified: ['team'] },
          { at: '21:01', fires: true },
          { at: '21:06', state: 'ok' },
          { at: '21:10', resolves: false },
          { at: '21:11', resolves: true },
        ],
      },
      more: { notifications: [{ name: 'team', type: 'url', destination: 'https://receiver.example.org/' }] },
      differences: [
        'expect[0].state is firing, not ok',
        'expect[0].fires it fires then',
        'expect[0].severity is critical, not info',
        'expect[0].notified is nobody, not team',
        'expect[1].fires it does not fire then: it did at 21:00:00',
        'expect[2].state is firing, not ok; a point could not be evaluated: a string where a number is needed',
        'expect[3].resolves an episode ends then',
        'expect[4].resolves no episode ends then: it did at 21:10:00; a point could not be evaluated: a string where a number is needed',
      ],
    });
  });

  it('know missing data, texts, fields, windows and the time of day', async () => {
    await passes({
      trigger: { inactivity: 3600, repeat: 0 },
      test: {
        points: [
          { at: '23:30', value: 1 },
          { at: '02:00', value: 1 },
        ],
        expect: [
          { at: '00:29', state: 'ok' },
          { at: '00:30', fires: true },
          { at: '02:00', resolves: true },
          { at: '03:00', fires: true },
        ],
      },
    });
    await passes({
      trigger: { inactivity: 60 },
      test: {
        expect: [
          { at: 0, state: 'ok' },
          { at: 60, state: 'firing', fires: true },
        ],
      },
    });
    await passes({
      trigger: { expression: 'sensor_data_value == "open"' },
      test: { points: [{ at: 0, value: 'open' }], expect: [{ at: 0, state: 'firing' }] },
    });
    await passes({
      trigger: { expression: 'sensor_data_value.door == "open" and sensor_data_value.lux > 3' },
      test: { points: [{ at: 0, value: { door: 'open', lux: 4 } }], expect: [{ at: 0, state: 'firing' }] },
    });
    await passes({
      trigger: { expression: 'avg_over_time(sensor_data_value, 600) > 15' },
      test: {
        points: [
          { at: 0, value: 10 },
          { at: 300, value: 18 },
          { at: 599, value: 20 },
          { at: 901, value: 10 },
        ],
        expect: [
          { at: 300, state: 'ok' },
          { at: 599, state: 'firing' },
          { at: 901, state: 'ok' },
        ],
      },
    });
    await passes({
      trigger: { expression: 'hour() >= 22', timezone: 'Europe/Amsterdam' },
      test: {
        points: [
          { at: '21:59', value: 1 },
          { at: '22:00', value: 1 },
        ],
        expect: [
          { at: '21:59', state: 'ok' },
          { at: '22:00', state: 'firing' },
        ],
      },
    });
    await passes({
      trigger: { expression: 'hour() >= 22', timezone: 'Europe/Amsterdam' },
      test: {
        timezone: 'UTC',
        points: [{ at: '21:59', value: 1 }],
        expect: [{ at: '2024-01-01T22:59:00+01:00', state: 'firing' }],
      },
    });
  });

  it('say who is notified: escalations, ends, and mutes of the set', async () => {
    const notifications = [
      { name: 'team', type: 'url', destination: 'https://receiver.example.org/' },
      { name: 'boss', type: 'url', destination: 'https://receiver.example.org/boss' },
    ];
    const weekly = { days: [1], from: '03:00', to: '04:00', timezone: 'UTC' };
    const trigger = { ...warm, notify_resolved: true, notifications: [{ name: 'team' }, { name: 'boss', after: 600 }] };
    const night = (mute: object) => ({
      notifications,
      mutes: [{ name: 'night', weekly, triggers: ['rule'], ...mute }],
    });
    const points = [
      { at: '02:00', value: 31 },
      { at: '02:05', value: 20 },
      { at: '03:10', value: 31 },
      { at: '04:10', value: 20 },
    ];
    await passes({
      trigger,
      more: night({}),
      test: {
        points,
        expect: [
          { at: '02:00', notified: ['team'] },
          { at: '02:05', notified: ['team'] },
          { at: '02:10', notified: [] },
          { at: '03:10', state: 'firing', notified: [] },
          { at: '04:00', notified: [] },
          { at: '04:10', state: 'ok', notified: [] },
        ],
      },
    });
    const deliver = JSON.parse('{"then": "deliver"}');
    await passes({
      trigger,
      more: night(deliver),
      test: {
        points,
        expect: [
          { at: '03:10', notified: [] },
          { at: '04:00', notified: ['boss', 'team'] },
          { at: '04:10', notified: ['team', 'boss'] },
        ],
      },
    });
    await passes({
      trigger,
      more: night({ sensors: [], triggers: [] }),
      test: { points, expect: [{ at: '03:10', notified: [] }] },
    });
  });

  it('have times of day on any day of a year, each found at once', async () => {
    const points = Array.from({ length: 900 }, () => ({ at: '23:59', value: 20 }));
    const later = (days: number, midnight: string) => ({
      trigger: { ...warm, timezone: 'Europe/Amsterdam' },
      test: {
        points: [{ at: days * 86_400, value: 20 }, ...points, { at: '00:00', value: 31 }],
        expect: [{ at: midnight, fires: true }],
      },
    });
    const first = await timed(() => passes(later(0, '2024-01-02T00:00:00+01:00')));
    const last = await timed(() => passes(later(365, '2025-01-01T00:00:00+01:00')));
    assert.ok(last < 4 * first + 500, `${last} ms for the last day of a year, ${first} ms for the first`);
  });

  it('have times in order, and values that a sensor can have', async () => {
    const wrong: [Case['test'], RegExp][] = [
      [
        {
          points: [
            { at: 5, value: 1 },
            { at: 4, value: 1 },
          ],
          expect: [{ at: 9, state: 'ok' }],
        },
        /points\[1\]\.at must not be before the time above$/,
      ],
      [
        { points: [{ at: '24:00', value: 1 }], expect: [{ at: 9, state: 'ok' }] },
        /points\[0\]\.at must be a time of day/,
      ],
      [{ points: [{ at: -1, value: 1 }], expect: [{ at: 9, state: 'ok' }] }, /points\[0\]\.at must be a time of day/],
      [{ expect: [] }, /expect must not be empty$/],
      [{ expect: [{ at: 0, state: 'asleep' }] }, /expect\[0\]\.state must be one of ok, pending, firing$/],
      [{ timezone: 'Mars/Olympus', expect: [{ at: 0, state: 'ok' }] }, /timezone must be the name of a time zone/],
      [
        { points: [{ at: 0, value: 'x'.repeat(70_000) }], expect: [{ at: 0, state: 'ok' }] },
        /points\[0\]\.value must be at most 65535 bytes$/,
      ],
    ];
    for (const [test, expected] of wrong) {
      const document = {
        set: 'store',
        triggers: [{ name: 'rule', ...warm }],
        tests: [{ name: 'test', trigger: 'rule', ...test }],
      };
      const { status, body } = await user.api.post('/rules/test', document);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.error, expected);
      assert.match(body.error, /^line 1, column \d+: tests\[0\]\./);
    }
  });
});
