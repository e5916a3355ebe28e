// A warm program of the matrix: it reads a task as a line of JSON, drives its library, and prints the result as a line.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import net from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { z } from 'zod';

/** Addresses outside this machine that the library tried to reach. */
const strangers = [];

export const Book = z.object({ title: z.string(), pages: z.number().int() });
export const City = z.object({ city: z.string() });
export const weather = { name: 'get_weather', description: 'The weather in a city' };
export const WEATHER = '21 degrees';
export const cityParameters = {
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
};

/** Serves until the input ends. `cells`: functions by the name of the task. */
export async function serve(library, cells) {
  print({ version: readVersion(library) });
  for await (const line of createInterface({ input: process.stdin })) {
    const { cell, ...task } = JSON.parse(line);
    try {
      print({ ...(await cells[cell](task)), strangers });
    } catch (error) {
      print({ error: `${error?.stack ?? error} ${error?.responseBody ?? ''} ${error?.cause ?? ''}`, strangers });
    }
  }
}

/** A usage that adds up answers of one task. */
export function addUp(usages) {
  return usages.reduce((sum, { input, output }) => ({ input: sum.input + input, output: sum.output + output }), {
    input: 0,
    output: 0,
  });
}

function print(result) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
}

/** Some packages do not export their package.json. */
function readVersion(library) {
  let folder = dirname(createRequire(import.meta.url).resolve(library));
  for (;;) {
    try {
      const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      if (version) return version;
    } catch {}
    folder = dirname(folder);
  }
}

const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function connectOnLoopback(...args) {
  const [options] = Array.isArray(args[0]) ? args[0] : args;
  const host = options?.host ?? 'localhost';
  if (options?.path || ['127.0.0.1', 'localhost', '::1'].includes(host)) return connect.apply(this, args);
  strangers.push(host);
  throw new Error(`${host} is outside this machine`);
};
