import { expect, it } from '@jest/globals';
import { findWholeContexts } from './whole-context.js';

const IMPORT = "import type { Context } from '../context.js';\n";

function lines(code: string, path = 'services/a/src/operations/x.ts'): number[] {
  return findWholeContexts([{ path, text: IMPORT + code }]).map(({ line }) => line);
}

it.each([
  'function run(ctx: Context): void {}',
  'function run({ pool }: Context): void {}',
  'function run(context: () => Context): void {}',
  'class Run { readonly #ctx: Context; }',
  'interface Parts { ctx: Context }',
  'interface Parts extends Context {}',
  'type Parts = Context & { id: string };',
  "function run(ctx: Omit<Context, 'pool'>): void {}",
  'function run(ctx: Partial<Context>): void {}',
])('finds the whole context in %s', (code) => {
  expect(lines(code)).toEqual([2]);
});

it('finds the whole context under another name', () => {
  const text = "import { type Context as Parts } from '../context.js';\nfunction run(ctx: Parts): void {}";
  expect(findWholeContexts([{ path: 'services/a/src/operations/x.ts', text }])).toHaveLength(1);
});

it.each([
  "function run(ctx: Pick<Context, 'pool' | 'clock'>): void {}",
  "function run(pool: Context['pool']): void {}",
  "type RunContext = Pick<Context, 'pool'>;\nfunction run(ctx: RunContext): void {}",
])('allows picked members in %s', (code) => {
  expect(lines(code)).toEqual([]);
});

it('allows the whole context where it is built, registered or tested', () => {
  const code = 'function run(ctx: Context): void {}';
  expect(lines(code, 'services/a/src/server.ts')).toEqual([]);
  expect(lines(code, 'services/a/src/grpc/hold-service.ts')).toEqual([]);
  expect(lines(code, 'services/a/src/http/server/app.ts')).toEqual([]);
  expect(lines(code, 'services/a/src/testing/harness.ts')).toEqual([]);
  expect(lines(code, 'services/a/src/grpc/to-hold.ts')).toEqual([2]);
});
