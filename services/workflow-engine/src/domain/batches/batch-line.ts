import type { BatchEndpoint, BatchError } from '@tollgate/api/compatible';
import { hasInfinity, requestJsonBounds, scanJson } from '@tollgate/runtime/json-bounds';
import { z } from 'zod';
import { isJsonObject } from '../values/json.js';
import { batchLimits } from './batch-limits.js';

const { levels, members, names } = requestJsonBounds;
const EXCEEDED = {
  levels: `This line is nested deeper than ${levels} levels.`,
  members: `This line has more than ${members} members and elements.`,
  names: `This line has more than ${names} members of objects.`,
};

/** One request of an input file. */
export interface BatchLine {
  /** From 1. */
  line: number;
  customId: string;
  /** JSON of the request's body. */
  body: string;
  /** The model that the body names; undefined for text that is not the name of a model. */
  model: string | undefined;
}

/** Reads one line of an input file. A line that is not a request to the endpoint fails the whole batch. */
export function readBatchLine(text: string, line: number, endpoint: BatchEndpoint): BatchLine | BatchError {
  const { exceeded, mayOverflow } = scanJson(Buffer.from(text), requestJsonBounds);
  if (exceeded) return fault(line, 'invalid_json_line', EXCEEDED[exceeded], null);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fault(line, 'invalid_json_line', 'This line is not parseable as valid JSON.', null);
  }
  if (mayOverflow && hasInfinity(value)) {
    return fault(line, 'invalid_json_line', 'This line has a number that is too large.', null);
  }
  if (!isJsonObject(value as never)) {
    return fault(line, 'invalid_json_line', 'This line is not a JSON object.', null);
  }
  const { custom_id: customId, method, url, body } = value as Record<string, unknown>;
  if (typeof customId !== 'string' || customId === '' || customId.length > batchLimits.customIdChars) {
    const message = `custom_id must be a text of 1 to ${batchLimits.customIdChars} characters.`;
    return fault(
      line,
      customId === undefined ? 'missing_required_parameter' : 'invalid_custom_id',
      message,
      'custom_id',
    );
  }
  if (customId.includes('\0')) return fault(line, 'invalid_custom_id', 'custom_id must not contain NUL.', 'custom_id');
  if (method !== 'POST') return fault(line, 'invalid_method', 'method must be POST.', 'method');
  if (url !== endpoint) {
    return fault(line, 'mismatched_url', `url must be ${endpoint}, the endpoint of the batch.`, 'url');
  }
  if (!isJsonObject(body as never)) return fault(line, 'invalid_body', 'body must be a JSON object.', 'body');
  const { model } = body as Record<string, unknown>;
  return { line, customId, body: JSON.stringify(body), model: isModelName(model) ? model : undefined };
}

/** PostgreSQL cannot store NUL. */
function isModelName(model: unknown): model is string {
  return typeof model === 'string' && model.length <= batchLimits.modelChars && !model.includes('\0');
}

/** The failure of a batch because of one of its lines, or of the whole file. */
export function fault(line: number | null, code: string, message: string, param: string | null): BatchError {
  return { code, message, line, param };
}

const count = z.int().min(0);

/** How far the input of a batch is validated, between two steps. */
const batchValidation = z.object({
  /** Where the next line starts, and the lines before it. */
  place: z.object({ part: count, offset: count, line: count }),
  total: count,
  model: z.string().optional(),
  errors: z.array(
    z.object({
      code: z.string(),
      message: z.string(),
      line: z.number().nullable(),
      param: z.string().nullable(),
    }),
  ),
});

export type BatchValidation = z.output<typeof batchValidation>;

/** Reads the stored state of a validation; null before the first step. */
export function readValidation(stored: string | null): BatchValidation {
  if (stored === null) return { place: { part: 0, offset: 0, line: 0 }, total: 0, errors: [] };
  return batchValidation.parse(JSON.parse(stored));
}
