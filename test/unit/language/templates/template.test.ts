import assert from 'node:assert/strict';
import fc from 'fast-check';
import { Sample } from '../../../../src/language/notification-text';
import { Rendering, Template } from '../../../../src/language/templates/template';
import { compileUrl } from '../../../../src/notifications/requests/url-template';
import { compileBody, FORM_TYPE, JSON_TYPE } from '../../../../src/notifications/requests/webhook-body';
import { finish } from '../../../../src/platform/steps';
import { assertLinear } from '../../../support/growth';

const SHOWN = {
  ...{ text: 'line 1\n"line 2"', title: 'warm on <hall> & co', state: 'firing', severity: 'critical', sensor_name: '' },
  ...{ sensor_data_value: '021.50', acknowledge_url: 'https://p.example.org/a?token=1' },
};
const rendering = (shown: object = {}) =>
  new Rendering(
    { ...SHOWN, ...shown },
    {
      ...SHOWN,
      sensor_data_value: 21.5,
      date: 1_795_229_544.125,
      reader_timezone: 'Europe/Berlin',
      secrets: { token: '007' },
    },
  );
const compiled = (text: string) => {
  const result = Template.compile(text);
  assert.ok('template' in result, JSON.stringify(result));
  return result.template;
};
const bodyOf = (body: unknown, type = JSON_TYPE) => {
  const result = compileBody(type, body);
  assert.ok('body' in result, JSON.stringify(result));
  return result.body;
};

describe('the values of a request', () => {
  it('have 65,536 characters together, and end with no half of a character', () => {
    assert.equal(rendering().take('x'.repeat(65_537)).length, 65_536);
    assert.equal(rendering().take(`${'x'.repeat(65_535)}😀`), 'x'.repeat(65_535));
  });
});

describe('a template', () => {
  it('prints 15 decimals at most', () => {
    assert.equal(finish(compiled('{{fixed(1, 15)}}').render(rendering())), '1.000000000000000');
    const values = rendering();
    finish(compiled('{{fixed(1, 16)}}').render(values));
    assert.match([...values.problems].join(), /from 0 to 15/);
  });

  const cases: [string, string][] = [
    ['no braces { } } {a}', 'no braces { } } {a}'],
    ['{{title}}!', 'warm on <hall> & co!'],
    ['{{escape(title)}}', 'warm on &lt;hall&gt; &amp; co'],
    ['{{sensor_data_value}} as it was stored', '021.50 as it was stored'],
    ['{{sensor_data_value + 1}}', '22.5'],
    ['{{fixed(sensor_data_value, 2)}} {{fixed(2.345, 1)}}', '21.50 2.3'],
    ['{{iso(date)}} {{local(date)}}', '2026-11-21T02:52:24.125Z 2026-11-21 03:52:24 +01:00'],
    ['{{state == "firing" ? "🔥" : "}}"}}', '🔥'],
    ['{{cut(title, 7)}}|{{cut(title, 200)}}', 'warm o…|warm on <hall> & co'],
    ['{{secrets.token}}', '007'],
    ['{{sensor_name}}|{{event}}|{{duration}}', '||'],
    ['{{ severity == "critical" and not (sensor_data_value > 30) }}', 'true'],
  ];
  for (const [text, expected] of cases) {
    it(`makes "${expected}" of "${text}"`, () => assert.equal(finish(compiled(text).render(rendering())), expected));
  }

  const refused: [string, string, number][] = [
    ['a {{title', '"}}" is missing', 2],
    ['a {{', '"}}" is missing', 2],
    ['{{"}}', '"}}" is missing', 0],
    ['{{}}', 'the expression ends where a value is needed', 2],
    ['hi {{humidity}}', 'unknown name "humidity"', 5],
    ['hi {{7*}}', 'the expression ends where a value is needed', 7],
    ['{{avg_over_time(sensor_data_value, 60)}}', 'the window function "avg_over_time" cannot be used here', 2],
    ['{{cut(title)}}', '"cut" takes 2 arguments, not 1', 2],
    ['{{local(date, "UTC")}}', '"local" takes 1 argument, not 2', 2],
    ['{{constructor}}', 'unknown name "constructor"', 2],
    ['{{secrets.__proto__}}', 'unknown name "__proto__"', 2],
  ];
  for (const [text, error, position] of refused) {
    it(`is refused as "${text}"`, () => assert.deepEqual(Template.compile(text), { problem: { error, position } }));
  }

  it('notes a field or an item that its value does not have, and no value that is not there at all', () => {
    const value = '{"temperature":4,"list":[1],"none":null,"empty":"","a-b":1,"a_b":2}';
    const run = new Rendering({ sensor_data_value: value, last_sensor_data_value: null }, {});
    const text =
      '{{sensor_data_value.temperature}}{{sensor_data_value.none}}{{sensor_data_value.empty}}{{last_sensor_data_value.x}}' +
      '{{sensor_data_value.temperatur2}}{{sensor_data_value.list[9]}}{{sensor_data_value.a_b}}';
    assert.equal(finish(compiled(text).render(run)), '4');
    assert.deepEqual(
      [...run.problems],
      [
        '{{sensor_data_value.temperatur2}}: sensor_data_value.temperatur2 does not exist',
        '{{sensor_data_value.list[9]}}: sensor_data_value.list[9] does not exist',
        '{{sensor_data_value.a_b}}: sensor_data_value.a_b is the name of several fields: write their own names as in ["a-b"]',
      ],
    );
  });

  it('leaves out what it cannot evaluate, and notes it', () => {
    const run = rendering();
    assert.equal(finish(compiled('{{duration / 60}}{{title + 1}}{{secrets.other}}!').render(run)), '!');
    assert.deepEqual(
      [...run.problems],
      [
        '{{duration / 60}}: duration has no value',
        '{{title + 1}}: a string where a number is needed',
        '{{secrets.other}}: secrets.other does not exist',
      ],
    );
  });

  it('does not search inserted text for templates', () => {
    assert.equal(finish(compiled('{{text}}').render(rendering({ text: '{{title}} {{7*7}}' }))), '{{title}} {{7*7}}');
  });

  it('marks the sample of a test for people, and reads it as it is', () => {
    const run = rendering({ sensor_data_value: new Sample('21.5') });
    assert.equal(finish(compiled('{{sensor_data_value}} {{sensor_data_value + 1}}').render(run)), '21.5 (sample) 22.5');
  });

  it('never makes more than its bound of large values', () => {
    const run = rendering({ text: '😀'.repeat(32_000) });
    const made = finish(compiled('{{text}}'.repeat(100)).render(run));
    assert.ok(made.length <= 65_536, String(made.length));
    assert.doesNotMatch(made, /\p{Surrogate}/u);
  });

  it('has one bound for all expressions of a request', () => {
    const costly = `{{${'lower('.repeat(90)}text${')'.repeat(90)} == "" ? 1 : 2}}`;
    const run = rendering({ text: 'x' });
    const dear = new Rendering({}, { text: 'X'.repeat(65_000) });
    assert.equal(finish(compiled(costly.repeat(20)).render(dear)), '22');
    assert.deepEqual([...dear.problems].length, 1);
    assert.match([...dear.problems][0] ?? '', /the templates of the request are too expensive$/);
    assert.equal(finish(compiled('{{state}}').render(run)), 'firing');
  });

  it('is checked in linear time, whatever the text', () => {
    for (const part of ['{{', '{{"', '}}', '{{a', '{ {', '{{"\\', '{{}}'])
      assertLinear(40_000, (n) => void Template.compile(part.repeat(n)), part);
  });
});

describe('a body of templates', () => {
  it('is always JSON, whatever the values', () => {
    const body = bodyOf({ a: '{{text}}', 'b"': ['x {{title}}', 1, true, null, { c: '{{sensor_name}}' }] });
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const sent = JSON.parse(finish(body.render(rendering({ text, title: text, sensor_name: text }))));
        assert.deepEqual(sent, { a: text, 'b"': [`x ${text}`, 1, true, null, { c: text }] });
      }),
    );
  });

  it('has a number where a string is one call of `number`, and null if there is none', () => {
    const run = rendering();
    const body = bodyOf([
      '{{number(severity == "critical" ? 8 : 5)}}',
      'p{{number(8)}}',
      '{{number(duration)}}',
      '{{8}}',
    ]);
    assert.equal(finish(body.render(run)), '[8,"p8",null,"8"]');
    assert.deepEqual([...run.problems], ['{{number(duration)}}: duration has no value']);
  });

  it('may be a form, whose fields are encoded', () => {
    const body = bodyOf({ Body: 'warm on <> &', To: '+31 6' }, FORM_TYPE);
    assert.equal(finish(body.render(rendering())), 'Body=warm+on+%3C%3E+%26&To=%2B31+6');
  });

  it('keeps a field named `__proto__` a field', () => {
    assert.equal(
      finish(bodyOf(JSON.parse('{"__proto__": {"a": "{{state}}"}}')).render(rendering())),
      '{"__proto__":{"a":"firing"}}',
    );
  });

  const refused: [string, unknown, string, string][] = [
    [JSON_TYPE, 'text', '', 'must be a JSON object or list'],
    [JSON_TYPE, { a: ['{{x}}'] }, '.a[0]', 'unknown name "x"'],
    [FORM_TYPE, { a: 1 }, '.a', 'must be a string: it is a field of a form'],
    ['text/plain', { a: 1 }, '', 'must be a string for this content type'],
    [JSON_TYPE, ['{{1}}'.repeat(101)], '[0]', 'must have at most 100 expressions'],
  ];
  for (const [type, body, path, error] of refused) {
    it(`is refused as ${JSON.stringify(body).slice(0, 40)} of ${type}`, () => {
      const result = compileBody(type, body);
      assert.ok('problem' in result);
      assert.deepEqual([result.problem.path, result.problem.error], [path, error]);
    });
  }

  it('is refused if it is nested deeply', () => {
    const result = compileBody(JSON_TYPE, JSON.parse('['.repeat(500) + ']'.repeat(500)));
    assert.match('problem' in result ? result.problem.error : '', /at most 20 levels/);
  });
});

describe('the templates of a URL', () => {
  const rendered = (url: string, shown: object = {}) => {
    const result = compileUrl(url);
    assert.ok('url' in result, JSON.stringify(result));
    return finish(result.url.render(rendering(shown)));
  };

  it('are one part of its path or query each', () => {
    const url = 'https://a.example.org/x/{{title}}?q={{text}}&t={{secrets.token}}';
    assert.equal(
      rendered(url, { title: '1:a/../b?c#d', text: 'a&b=c' }),
      'https://a.example.org/x/1:a%2F..%2Fb%3Fc%23d?q=a%26b%3Dc&t=007',
    );
    assert.equal(rendered('https://a.example.org/x/{{title}}/y', { title: '..' }), 'https://a.example.org/x//y');
  });

  it('never lead to another host', () => {
    const value = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(value, (title) => {
        const url = new URL(rendered('https://a.example.org/b/{{title}}/c?d={{title}}', { title }));
        assert.deepEqual([url.host, url.pathname.startsWith('/b/')], ['a.example.org', true]);
      }),
      {
        examples: [
          ['@evil.example.org'],
          ['//evil.example.org'],
          ['\\\\evil.example.org'],
          ['%2e%2e'],
          ['\r\nHost: x'],
        ],
      },
    );
  });

  for (const url of [
    'https://{{title}}/a',
    'https://a.{{title}}.example.org/',
    'https://a.example.org:{{title}}/',
    '{{title}}',
    'http:///evil{{title}}/',
    'http:{{title}}/a',
    'http:\\\\evil{{title}}/a',
    'http://a.example.org{{title}}',
    'http://{{title}}@a.example.org/',
  ]) {
    it(`are refused in ${url}`, () => {
      const result = compileUrl(url);
      assert.equal('problem' in result && result.problem.error, 'the host must not hold templates');
    });
  }
});
