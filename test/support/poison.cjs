// Loaded into a worker by NODE_OPTIONS: ends the process, as a bug of the platform would, when the work at hand is
// poison. `lower("poison")` in an expression ends it, and so does every packet to a server that matches one of the
// regular expressions in the file that POISON_FILE names, a line each.
const { readFileSync } = require('node:fs');
const { Socket } = require('node:net');

const { toLowerCase } = String.prototype;
String.prototype.toLowerCase = function () {
  if (String(this) === 'poison') die();
  return toLowerCase.call(this);
};

const { write } = Socket.prototype;
if (process.env.POISON_FILE)
  Socket.prototype.write = function (data, ...rest) {
    const text =
      typeof data === 'string'
        ? data
        : Buffer.from(data.buffer ?? data, data.byteOffset, data.length).toString('latin1');
    for (const pattern of patterns()) if (pattern.test(text)) die();
    return write.call(this, data, ...rest);
  };

function patterns() {
  try {
    const lines = readFileSync(process.env.POISON_FILE, 'utf8').split('\n');
    return lines.filter(Boolean).map((line) => new RegExp(line));
  } catch {
    return [];
  }
}

function die() {
  process.kill(process.pid, 'SIGKILL');
}
