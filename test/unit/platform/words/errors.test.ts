import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REFUSED_WARNING } from '../../../../src/notifications/notifications/notification.view';
import { passwordWarning } from '../../../../src/people/accounts/session.view';
import { Words } from '../../../../src/platform/words/words';

const SRC = join(__dirname, '../../../../src');
/** Texts for programs, agents and operators are English: no person meets them in a form. */
const FOR_OTHERS =
  /^(?:admin|generated|operators|maintenance|queue|gateways\/(?:protocols|http|mqtt)\/|gateways\/series|platform\/(?:words|config|oauth1|oidc-settings)|api\/(?:board|docs|openapi|oauth1|oauth2|operators|probes|pipeline|console|protocol|http-server)|people\/oauth\/(?:oauth|signed|client)|storage\/(?:check|migrations|models)|points\/(?:point-store\/chunk|inbox)|notifications\/(?:presets|delivery)\/|alerts\/evaluation)|(?:controller|view|invariants)\.ts$/;
/** What the errors add to their texts. */
const ERRORS: Readonly<Record<string, string>> = {
  ...{
    InvalidInput: '',
    Forbidden: '',
    Conflict: '',
    TooMany: '',
    Unavailable: '',
    Unauthorized: '',
    InvalidToken: '',
  },
  ...{ PlatformError: '', NotFound: ' does not exist' },
};
/** How the reasons of fields begin. */
const REASON =
  /^(?:must (?:be|have|not|name|contain|match|begin)|is (?:required|longer|unknown|not|given|taken|beyond|filled|set|too)|has (?:more|no|the wrong|a name)|are more|cannot be|names (?:a|another)|needs|takes at most|asks for|matches) ?/;

/** The reason is translated by itself. */
const PATH_AND_REASON = /^[\w.]+ 7$|^7( 7)*$/;

/** Texts that are composed of others: what they become. */
const COMPOSED: Readonly<Record<string, readonly string[]>> = {
  '7 is required for an application of the type 7': ['is required for an application of the type web'],
  '7, some of which feed others: disconnect some first': [
    "one data point would cause more than 7 computations of one user's services, some of which feed others: disconnect some first",
  ],
  '7: delete others of 7 first': ['a user has at most 7 event notifications of one event: delete others of x first'],
  '7: disconnect others first': [
    'a trigger on a sensor has at most 7 notifications: disconnect others first',
    'a trigger has at most 7 notifications on all its sensors: disconnect others first',
  ],
  '7; it is refused for an hour: ask for less at once': [
    'GET /sensors has ended each of 3 processes that answered it; it is refused for an hour: ask for less at once',
  ],
  'a body of more than 64 KB needs 7': [
    'a body of more than 64 KB needs a valid session or key in the header, the cookie or the query',
  ],
  'cannot be evaluated: 7': [], // of a receiver
  'has more than 7 values and names': ['the body has more than 7 values and names'],
  'has no field; 7': ['has no field; "all": true selects everything'],
  'has no statement; 7': ['has no statement; "all": true selects everything'],
  'in this group you may not 7': [
    ...['list its users', 'add users to it', 'remove users from it', 'list its sensors', 'add sensors to it'],
    ...['remove sensors from it', 'see its alerts', 'handle its alerts', 'edit it'],
  ].map((action) => `in this group you may not ${action}`),
  'is not valid 7': ['the body is not valid utf-8'],
  'is not valid 7 in line 7': ['the body is not valid utf-8 in line 7'],
  'is not valid 7 in more than 7 lines': ['the body is not valid utf-8 in more than 7 lines'],
  'is required without filter; 7': ['is required without filter; "all": true selects everything'],
  'must be 7': ['must be a number', 'must be a whole number'],
  'must be a URL that begins with https:// or http:// and has {z}, {x} and {y} in its path': [], // of a setting
  'names a sensor that only its owner may 7': ['share', 'upload to', 'mute'].map(
    (action) => `names a sensor that only its owner may ${action}`,
  ),
  'needs-session': [], // a verdict
  'the body 7': ['the body is nested more than 7 deep', 'the body has a list or object of more than 7 parts'],
  'this username 7 taken': ['this username is taken', 'this username looks like one that is taken'],
};

describe('the errors of the API in German', () => {
  it('have a text for each that a person can meet', () => {
    const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !FOR_OTHERS.test(file))
      .flatMap((file) => textsIn(file));
    assert.ok(found.length > 200, `only ${found.length} texts were found`);
    const words = Words.in('de');
    const english = found.filter(({ text }) => (COMPOSED[text] ?? [text]).some((one) => words.said(one) === one));
    assert.deepEqual(
      english.map(({ file, text }) => `${file}: ${text}`),
      [],
      'add their German to src/platform/words/german',
    );
    const known = new Set(found.map(({ text }) => text));
    assert.deepEqual(
      Object.keys(COMPOSED).filter((text) => !known.has(text)),
      [],
      'they are composed no more',
    );
  });
});

describe('what is recorded of a rule, a service and a source', () => {
  it('has a German text for each reason', () => {
    const reasons =
      /(?:new (?:CannotEvaluate|UnreadableMessage)\(|(?:lastError|note): |(?:_ERROR|TOO_\w+|NOT_ALLOWED) =\s+)('[^'\n]*'|`[^`]*`)/g;
    const found = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
      .filter((file) => /^(?:language|alerts|gateways\/(?:mqtt|protocols\/mqtt))\/.*\.ts$/.test(file))
      .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(reasons)])
      .map(([, literal = '']) => textOf(literal))
      .filter((text) => /\p{L} /u.test(text));
    assert.ok(found.length > 35, `only ${found.length} texts were found`);
    const words = Words.in('de');
    assert.deepEqual(
      found.filter((text) => words.said(text) === text),
      [],
    );
  });
});

describe('a warning about what others decide', () => {
  it('has a German text', () => {
    for (const text of [REFUSED_WARNING, passwordWarning('stays') ?? assert.fail()])
      assert.notEqual(Words.in('de').said(text), text);
  });
});

interface Found {
  file: string;
  text: string;
}

const LITERAL = String.raw`'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\.)*${'`'}`;
const LITERALS = new RegExp(String.raw`//[^\n]*|/\*[\s\S]*?\*/|(${LITERAL})`, 'g');
const MESSAGES = new RegExp(
  String.raw`(?:new (${Object.keys(ERRORS).join('|')})|usedUpError)\(\s*(?:\d+,\s*'\w+',\s*)?(${LITERAL})`,
  'g',
);

/** The messages of errors that are made in this file, and all reasons of fields; `7` stands for each value. */
function textsIn(file: string): Found[] {
  const source = readFileSync(join(SRC, file), 'utf8');
  const literals = [...source.matchAll(LITERALS)].flatMap(([, literal]) => literal ?? []).map(textOf);
  const messages = [...source.matchAll(MESSAGES)].map(
    ([, name = '', literal = '']) => textOf(literal) + (ERRORS[name] ?? ''),
  );
  const texts = [
    ...literals.filter((text) => REASON.test(text)),
    ...messages.filter((text) => !PATH_AND_REASON.test(text)),
  ];
  return texts.map((text) => ({ file, text }));
}

function textOf(literal: string): string {
  const text = literal.slice(1, -1);
  if (literal.startsWith('`')) return text.replace(/\$\{(?:[^{}]|\{[^}]*\})*\}/g, '7');
  return text.replace(/\\(.)/g, '$1');
}
