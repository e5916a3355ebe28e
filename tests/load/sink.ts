// An endpoint that accepts every request immediately, but never answers under /dead.
import { createServer } from 'node:http';

createServer((req, res) => {
  req.resume();
  if (req.url?.startsWith('/dead')) return;
  req.on('end', () => res.writeHead(200, { 'content-length': 0 }).end());
}).listen(Number(process.argv[2]), '127.0.0.1');
