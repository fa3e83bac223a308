// The least an HTTP server can do with an upload: read, parse, respond. Prints its port.
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    response.writeHead(201, { 'Content-Type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ data: { accepted: data.length } }));
  });
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
