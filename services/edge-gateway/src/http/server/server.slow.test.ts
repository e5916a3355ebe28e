import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { startHttpServer } from './server.js';

/** Opens connections and prints how many are complete: when all are, or after 30 s. */
const FLOOD = `
  const { connect } = require('node:net');
  const [port, count] = process.argv.slice(1).map(Number);
  let connected = 0;
  const end = () => { process.stdout.write(String(connected)); process.exit(); };
  for (let i = 0; i < count; i++)
    connect(port, '127.0.0.1').on('error', () => {}).on('connect', () => { if (++connected === count) end(); });
  setTimeout(end, 30_000);
`;

describe('startHttpServer', () => {
  it('accepts a flood of connections while the event loop is busy', async () => {
    const http = await startHttpServer((_req, res) => void res.end(), { host: '127.0.0.1', port: 0 }, new Set());
    const port = http.address.split(':')[1] as string;
    // Blocks the event loop until the program has ended: only the kernel answers.
    const { stdout } = spawnSync(process.execPath, ['-e', FLOOD, port, '1000'], { encoding: 'utf8' });
    expect(Number(stdout)).toBe(1_000);
    await http.stop(0);
  });
});
