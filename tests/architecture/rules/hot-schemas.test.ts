import { describe, expect, it } from '@jest/globals';
import * as api from '@tollgate/api';
import { z } from 'zod';
import { readSourceFiles } from '../source-files.js';
import { findChanges } from './hot-schemas.js';

describe('findChanges', () => {
  it.each([
    ['a default', z.object({ a: z.string().default('b') })],
    ['a transformation', z.array(z.string().transform(Number))],
    ['a preprocessor', z.object({ a: z.preprocess(Number, z.number()).optional() })],
    ['an overwriting check', z.union([z.number(), z.strictObject({ a: z.string().trim() })])],
    ['a fallback', z.record(z.string(), z.number().catch(1))],
  ])('finds %s inside a schema', (_name, schema) => {
    expect(findChanges(schema)).toHaveLength(1);
  });

  it('finds nothing in a schema that only judges', () => {
    const tree: z.ZodType = z.lazy(() => z.strictObject({ a: z.string().min(1), b: tree.optional() }));
    const schema = tree.refine(() => true);
    expect(findChanges(schema)).toEqual([]);
  });
});

/** Modules whose request schemas the edge applies before it forwards the bytes. */
const HOT = /\/(responses|chat|anthropic-messages|compatible-responses|decisions|embeddings|audio)\.ts$/;
const hotSchemas = readSourceFiles(/^packages\/api\/src\/.*\.ts$/)
  .filter(({ path }) => HOT.test(path))
  .flatMap(({ text }) => [...text.matchAll(/export const (\w+(?:Body|Form))\b/g)].map((match) => match[1] as string));

describe('the schemas of hot requests', () => {
  it('includes those of every dialect', () => {
    expect(hotSchemas).toEqual(
      expect.arrayContaining(['responsesBody', 'chatCompletionsBody', 'messagesBody', 'compatibleResponsesBody']),
    );
  });

  it.each(hotSchemas)('leaves a request as it is: %s', (name) => {
    const schema = new Map<string, unknown>(Object.entries(api)).get(name);
    expect(findChanges(schema as z.ZodType)).toEqual([]);
  });
});
