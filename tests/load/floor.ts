// Minimal cost of a proxy in this language: node:http in, undici dispatch out, without reading the contents.
import { createServer } from 'node:http';
import { Pool } from 'undici';

const [port, upstream] = process.argv.slice(2);
const origin = new URL(upstream ?? '');
const pool = new Pool(origin.origin, { connections: 64, pipelining: 1 });

createServer((req, res) => {
  const chunks: Buffer[] = [];
  req.on('data', (chunk: Buffer) => chunks.push(chunk));
  req.on('end', () => {
    pool.dispatch(
      {
        path: `${origin.pathname}/chat/completions`,
        method: 'POST',
        headers: ['content-type', 'application/json'],
        body: Buffer.concat(chunks),
      },
      {
        onRequestStart() {},
        onResponseStart(_controller, status, headers) {
          res.writeHead(status, { 'content-type': String(headers['content-type'] ?? 'application/json') });
        },
        onResponseData(_controller, chunk) {
          res.write(chunk);
        },
        onResponseEnd() {
          res.end();
        },
        onResponseError() {
          res.destroy();
        },
      },
    );
  });
}).listen(Number(port), '127.0.0.1');
