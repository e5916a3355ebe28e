import { createHash } from 'node:crypto';
import type { ToolCall } from '@tollgate/api/model-requests';
import { AppError } from '@tollgate/errors';
import type { JsonObject } from '@tollgate/runtime';
import type { ModelRequest } from '../../domain/model-request.js';
import { parseObject } from './answer-reading.js';

/** Names that every provider accepts. Google requires a letter or an underscore first. */
const ACCEPTED = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;
const CHARS_MAX = 64;
const DIGEST_CHARS = 8;

/**
 * Converts function names to what providers accept (64 letters, digits, dashes and underscores) and back: calls get the client's
 * spelling.
 */
export class ToolNames {
  readonly #declared = new Map<string, string>();
  /** Whether the model can call tools: only then an answer must be kept in the vendor's form. */
  readonly areDeclared: boolean;

  constructor(request: ModelRequest) {
    for (const { name } of request.tools) {
      const offered = toolName(name);
      const other = this.#declared.get(offered);
      if (other !== undefined && other !== name) {
        throw new AppError('VALIDATION_ERROR', `tools ${other} and ${name} have the same name for the provider`);
      }
      this.#declared.set(offered, name);
    }
    this.areDeclared = this.#declared.size > 0 || (request.providerTools?.length ?? 0) > 0;
  }

  /** Returns the client's spelling of a name that the provider used. */
  original(offered: string): string {
    return this.#declared.get(offered) ?? offered;
  }
}

/**
 * Returns the name of a function for a provider: other characters become underscores, and a long name is cut, with a digest of the
 * whole name. The same name always becomes the same one, also in the history of a conversation.
 */
export function toolName(name: string): string {
  if (ACCEPTED.test(name)) return name;
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  const started = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  if (started.length <= CHARS_MAX) return started;
  const digest = createHash('sha256').update(name).digest('hex').slice(0, DIGEST_CHARS);
  return `${started.slice(0, CHARS_MAX - DIGEST_CHARS - 1)}_${digest}`;
}

/** Returns the arguments of a call that is sent back to a model. Invalid JSON, which providers reject, becomes `{}`. */
export function toolArguments(call: ToolCall): JsonObject {
  return parseObject(call.function?.arguments ?? '') ?? {};
}

/** Returns the arguments as JSON, unchanged if they are an object. */
export function toolArgumentsText(call: ToolCall): string {
  const text = call.function?.arguments ?? '';
  return parseObject(text) ? text : '{}';
}
