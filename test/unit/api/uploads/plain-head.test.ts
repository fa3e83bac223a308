import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import fc from 'fast-check';
import { PlainHeads, plainHeadOf } from '../../../../src/api/uploads/plain-head';
import { plainUploadOf } from '../../../../src/api/uploads/plain-upload';

const BODY = '{"value":1}';
const FIELDS = ['Host: x', 'X-SESSION_ID: abc', `Content-Length: ${BODY.length}`];

function requestOf(fields: readonly string[], { start = 'POST /sensors/5/data HTTP/1.1', body = BODY } = {}): Buffer {
  return Buffer.from(`${[start, ...fields].join('\r\n')}\r\n\r\n${body}`, 'latin1');
}

describe('the head of a plain upload', () => {
  it('is recognized where the chunk is exactly one upload', () => {
    const head = plainHeadOf(
      requestOf(['Content-Type: application/json', ...FIELDS, 'Connection: Keep-Alive', 'Accept: */*']),
    );
    const { sensorId, secret, by, format } = head?.upload ?? {};
    assert.deepEqual(
      { sensorId, secret, by, charset: format?.charset },
      { sensorId: '5', secret: 'abc', by: 'session', charset: 'utf-8' },
    );
    assert.equal(head?.bodyBytes, BODY.length);
  });

  it('is not read again where it is repeated, and is read where it differs', () => {
    const heads = new PlainHeads();
    const first = heads.of(requestOf(FIELDS));
    assert.ok(first);
    assert.equal(heads.of(requestOf(FIELDS, { body: '{"value":2}' })), first);
    const longer = requestOf([...FIELDS.slice(0, 2), 'Content-Length: 12'], { body: '{"value":22}' });
    const other = heads.of(longer);
    assert.equal(other?.bodyBytes, 12);
    assert.equal(heads.of(longer), other);
    assert.equal(heads.of(requestOf(FIELDS)), first);
    const another = heads.of(requestOf([FIELDS[0] ?? '', 'X-SESSION_ID: abd', FIELDS[2] ?? '']));
    assert.equal(another?.upload.secret, 'abd');
    assert.equal(heads.of(requestOf(FIELDS, { body: `${BODY} ` })), undefined);
    assert.equal(heads.of(requestOf(FIELDS).subarray(0, -1)), undefined);
    for (const length of [100, 101, 102, 103, 104])
      heads.of(requestOf([...FIELDS.slice(0, 2), `Content-Length: ${length}`], { body: 'x'.repeat(length) }));
    const again = heads.of(requestOf(FIELDS));
    assert.notEqual(again, first, 'it keeps the latest only');
    assert.deepEqual(again, first);
  });

  it('is left to node in any other spelling', () => {
    const length = FIELDS[2] ?? '';
    const wrong: Buffer[] = [
      ...['Transfer-Encoding: chunked', 'TE: trailers', 'Trailer: x', 'Upgrade: h2c', 'Expect: 100-continue'].map(
        (field) => requestOf([...FIELDS, field]),
      ),
      ...['Connection: close', 'Connection: keep-alive, x', 'Keep-Alive: 5', 'Proxy-Connection: close'].map((field) =>
        requestOf([...FIELDS, field]),
      ),
      ...['host: y', 'X-Session_Id: abc', length, 'Content-Length: 5'].map((field) => requestOf([...FIELDS, field])),
      ...[
        'A:b',
        'A:  b',
        'A: b ',
        'A : b',
        ' A: b',
        'A: b\tc',
        'A: \xe9',
        'A: ',
        'A',
        ': b',
        'A: b\rC: d',
        'A: b\nC: d',
        'A\x00: b',
        '__proto__: b',
        'Ä: b',
      ].map((field) => requestOf([...FIELDS, field])),
      ...['Origin: null', 'Content-Encoding: gzip', 'Authorization: Bearer x'].map((field) =>
        requestOf([...FIELDS, field]),
      ),
      ...['+11', '011', '11, 11', '1e1', '0xb', '-11', '11.0', '65537', '99999999999'].map((given) =>
        requestOf([...FIELDS.slice(0, 2), `Content-Length: ${given}`]),
      ),
      ...[
        'GET /sensors/5/data HTTP/1.1',
        'POST /sensors/5/data HTTP/1.0',
        'POST /sensors/5/data?x HTTP/1.1',
        'POST  /sensors/5/data HTTP/1.1',
        'post /sensors/5/data HTTP/1.1',
        'POST http://x/sensors/5/data HTTP/1.1',
        'POST /sensors/5/data HTTP/1.1 ',
        '\r\nPOST /sensors/5/data HTTP/1.1',
      ].map((start) => requestOf(FIELDS, { start })),
      requestOf(FIELDS.slice(1)),
      requestOf(FIELDS.slice(0, 2)),
      requestOf([...FIELDS, `A: ${'x'.repeat(5_000)}`]),
      requestOf([...FIELDS, ...Array.from({ length: 60 }, (_, index) => `A${index}: b`)]),
      Buffer.from(requestOf(FIELDS).toString('latin1').replaceAll('\r\n', '\n'), 'latin1'),
      Buffer.concat([requestOf(FIELDS), requestOf(FIELDS)]),
      Buffer.from(''),
    ];
    for (const chunk of wrong) assert.equal(plainHeadOf(chunk), undefined, chunk.toString('latin1'));
  });

  it('says what node reads in the same bytes, whatever they are', async () => {
    const seed = Number(process.env.HEAD_SEED ?? Date.now() % 2 ** 31);
    console.log(`    HEAD_SEED=${seed}`);
    let [read, recognized] = [0, 0];
    const { server, send } = await serverThatReads();
    const odd = fc.constantFrom(
      '',
      ' ',
      '  ',
      '\t',
      '\r',
      '\n',
      '\r\n',
      '\r\n\r\n',
      ':',
      ',',
      '\x00',
      '\x7f',
      '\xe9',
      '0',
      'chunked',
      'close',
    );
    const field = fc.constantFrom(
      ...FIELDS,
      'Accept: */*',
      'Connection: keep-alive',
      'Content-Type: application/json',
      'content-length: 3',
      'Transfer-Encoding: chunked',
      'Authorization: Bearer y',
      'Host: y',
    );
    const changed = fc
      .tuple(field, odd, fc.nat())
      .map(([one, extra, at]) => one.slice(0, at % (one.length + 1)) + extra + one.slice(at % (one.length + 1)));
    const fields = fc
      .tuple(fc.shuffledSubarray(FIELDS, { minLength: 2 }), fc.array(fc.oneof(field, changed), { maxLength: 2 }))
      .map((parts) => parts.flat());
    const start = fc.oneof(
      { weight: 5, arbitrary: fc.constant('POST /sensors/5/data HTTP/1.1') },
      fc.constantFrom(
        'POST /sensors/data HTTP/1.1',
        'POST /sensors/5/data.json HTTP/1.1',
        'POST /sensors/5/data HTTP/1.1\r',
        'PUT /sensors/5/data HTTP/1.1',
      ),
    );
    const isSame = fc.asyncProperty(start, fields, async (line, lines) => {
      const chunk = requestOf(lines, { start: line });
      const head = plainHeadOf(chunk);
      read += 1;
      if (!head) return;
      recognized += 1;
      const { request, body } = await send(chunk);
      assert.deepEqual(plainUploadOf(request), head.upload);
      assert.equal(body, chunk.subarray(head.bytes.length).toString('latin1'));
    });
    await fc.assert(isSame, { seed, numRuns: 2_000 });
    server.close();
    assert.ok(recognized > read / 20 && recognized < read, `${recognized} of ${read}`);
  });
});

/** A server that reads by node's parser alone: `send` sends bytes on a new connection, and returns the only request that node finds there. */
async function serverThatReads() {
  const found: { request: IncomingMessage; body: string }[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk.toString('latin1');
    found.push({ request, body });
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server's address is an AddressInfo
  const send = async (bytes: Buffer) => {
    const socket = connect(port, '127.0.0.1').resume();
    socket.end(bytes);
    await once(socket, 'close');
    const [only, ...others] = found.splice(0);
    assert.ok(only && others.length === 0, bytes.toString('latin1'));
    return only;
  };
  return { server, send };
}
