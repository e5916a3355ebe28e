import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';
import type { Lookup } from '../resolver.js';

/** A fake name server of an attacker: each answer can differ, and none may be cached. */
export interface DnsStub {
  /** Names asked for, one entry per question. */
  readonly questions: string[];
  /** Its address and port. */
  readonly address: string;
  /** Queries only this server, over the network, for both kinds of addresses. */
  lookup: Lookup;
  stop(): Promise<void>;
}

const TYPE_A = 1;
const TYPE_AAAA = 28;

/** `answer` gives the addresses for the n-th resolution (0 = the first) of a name; undefined: it never answers. */
export async function startDnsStub(answer: (resolution: number) => readonly string[] | undefined): Promise<DnsStub> {
  const socket = createSocket('udp4');
  const questions: string[] = [];
  const asked = new Map<string, number>();
  socket.on('message', (query, from) => {
    const { name, type, end } = readQuestion(query);
    questions.push(name);
    const key = `${name} ${type}`;
    const nth = asked.get(key) ?? 0;
    asked.set(key, nth + 1);
    const addresses = answer(nth);
    if (!addresses) return;
    const fitting = addresses.filter((address) => isIPv6(address) === (type === TYPE_AAAA));
    socket.send(response(query.subarray(0, end), type, fitting), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const resolver = new Resolver({ timeout: 2_000, tries: 1 });
  const address = `127.0.0.1:${socket.address().port}`;
  resolver.setServers([address]);
  return {
    questions,
    address,
    async lookup(hostname) {
      const [v4, v6] = await Promise.all([
        resolver.resolve4(hostname).catch(() => []),
        resolver.resolve6(hostname).catch(() => []),
      ]);
      return [...v4, ...v6];
    },
    stop: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('ascii', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** Header and question of the query, then one record per address with a lifetime of zero. */
function response(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  const head = Buffer.from(query);
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  const records = addresses.map((address) => {
    const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : v6Bytes(address);
    const fixed = Buffer.alloc(12);
    fixed.writeUInt16BE(0xc00c, 0); // the name of the question
    fixed.writeUInt16BE(type, 2);
    fixed.writeUInt16BE(1, 4);
    fixed.writeUInt16BE(data.length, 10);
    return Buffer.concat([fixed, data]);
  });
  return Buffer.concat([head, ...records]);
}

function v6Bytes(address: string): Buffer {
  const [head = '', tail = ''] = address.split('::');
  const parts = (text: string) => (text === '' ? [] : text.split(':'));
  const zeros = Array(8 - parts(head).length - parts(tail).length).fill('0');
  const all = [...parts(head), ...zeros, ...parts(tail)].map((part) => part.padStart(4, '0'));
  return Buffer.from(all.join(''), 'hex');
}
