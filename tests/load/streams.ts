import { request } from 'node:http';
import { chatTarget, type Gateway } from './gateway.js';
import type { LoadTarget } from './http-load.js';
import { processUsage } from './process-usage.js';

export interface StreamLoad {
  streams: number;
  chunks: number;
  errors: number;
  /** CPU time of the gateway's processes without its database. */
  cpuMicrosPerChunk: number;
  memoryMb: { before: number; during: number };
}

const TOKENS = 60;
const PACE_MS = 100;

/** Measures many slow answers at once: CPU time per chunk and memory per open stream. */
export async function streamLoad(gateway: Gateway, streams: number): Promise<StreamLoad> {
  const pids = Object.entries(gateway.pids).filter(([name]) => name !== 'postgres');
  const use = () => pids.map(([, pid]) => processUsage(pid));
  const memory = () => use().reduce((sum, { rssMb }) => sum + rssMb, 0);
  const cpu = () => use().reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  const targets = gateway.targets(true).map(paced);
  const before = memory();
  const cpuBefore = cpu();
  let during = 0;
  const watch = setInterval(() => {
    during = Math.max(during, memory());
  }, 500);
  const answers = await Promise.all(Array.from({ length: streams }, (_, i) => read(targets[i % targets.length]!)));
  clearInterval(watch);
  const chunks = answers.reduce((sum, answer) => sum + answer.chunks, 0);
  return {
    streams,
    chunks,
    errors: answers.filter(({ isWhole }) => !isWhole).length,
    cpuMicrosPerChunk: ((cpu() - cpuBefore) * 1000) / Math.max(1, chunks),
    memoryMb: { before, during },
  };
}

function paced(target: LoadTarget): LoadTarget {
  const { host, port, path, headers } = target;
  const body = JSON.parse(String(chatTarget(port, {}, true).body));
  body.messages = [{ role: 'user', content: `say ${TOKENS} tokens, slow ${PACE_MS} ms` }];
  return { host, port, path, headers, body: JSON.stringify(body) };
}

function read({ host, port, path, headers, body }: LoadTarget): Promise<{ chunks: number; isWhole: boolean }> {
  return new Promise((resolve) => {
    let chunks = 0;
    let tail = '';
    const end = (): void => resolve({ chunks, isWhole: tail.includes('data: [DONE]') });
    const req = request({ host, port, path, method: 'POST', headers, agent: false }, (res) => {
      res.setEncoding('latin1');
      res.on('data', (piece: string) => {
        chunks += piece.split('\n\n').length - 1;
        tail = (tail + piece).slice(-64);
      });
      res.on('close', end);
    });
    req.on('error', end);
    req.end(body);
  });
}
