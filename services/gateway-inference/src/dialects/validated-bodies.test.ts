// The edge validates a model request and forwards its bytes. This service parses them again without a schema and takes
// the result for the schema's output, which is right only while no schema changes what it validates.
import { describe, expect, it } from '@jest/globals';
import {
  chatCompletionsBody,
  completionsBody,
  countMessageTokensBody,
  expandedResponsesBody,
  googleCountTokensBody,
  googleGenerateBody,
  messagesBody,
  responsesInputTokensBody,
} from '@tollgate/api/compatible';
import {
  decisionsBody,
  embeddingsBody,
  moderationsBody,
  responsesBody,
  speechBody,
} from '@tollgate/api/model-requests';
import { z } from 'zod';

const bodies: Record<string, z.ZodType> = {
  chatCompletionsBody,
  expandedResponsesBody,
  completionsBody,
  countMessageTokensBody,
  decisionsBody,
  embeddingsBody,
  googleCountTokensBody,
  googleGenerateBody,
  messagesBody,
  moderationsBody,
  responsesBody,
  responsesInputTokensBody,
  speechBody,
};

/** Types of schemas whose output may differ from their input. A `pipe` holds a `transform`, a `preprocess` or a codec. */
const changingTypes = new Set(['default', 'prefault', 'transform', 'pipe', 'catch']);

/** The schemas lowercase media types; this service also reads those in any case. */
const readInAnyCase = /\.(mime_type|media_type)\.checks\.\d+: overwrite$/;

/** Returns the paths of all schemas and checks in `root` that change what they validate. */
function findChanges(root: z.ZodType): string[] {
  const seen = new Set<unknown>();
  const found: string[] = [];
  const visit = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return;
    seen.add(value);
    const { _zod: zod } = value as { _zod?: { def: Record<string, unknown> } };
    if (zod) {
      const { type, check, coerce, getter } = zod.def;
      if (changingTypes.has(String(type)) || check === 'overwrite' || coerce === true) {
        found.push(`${path}: ${check ?? type}`);
      }
      if (typeof getter === 'function') visit(getter(), path);
      visit(zod.def, path);
    } else {
      for (const [name, member] of Object.entries(value)) visit(member, `${path}.${name}`);
    }
  };
  visit(root, 'body');
  return found;
}

describe('bodies of model requests', () => {
  it.each(Object.entries(bodies))('keeps %s free of defaults and transforms', (_name, schema) => {
    expect(findChanges(schema).filter((path) => !readInAnyCase.test(path))).toEqual([]);
  });

  it.each<[string, z.ZodType]>([
    ['a default', z.object({ list: z.array(z.object({ n: z.number().default(1) })) })],
    ['a default of undefined input', z.object({ n: z.number().prefault(1) })],
    ['a transform', z.union([z.string(), z.number().transform(String)])],
    ['a preprocessor', z.record(z.string(), z.preprocess(String, z.string()))],
    ['a coercion', z.looseObject({ n: z.coerce.number().optional() })],
    ['a trimmed text', z.tuple([z.string().trim()])],
    ['a fallback', z.lazy(() => z.object({ n: z.number().catch(0).nullish() }))],
  ])('finds %s', (_name, schema) => {
    expect(findChanges(schema)).not.toEqual([]);
  });
});
