import { AppError } from '@tollgate/errors';
import type { ModelRequest } from '../../domain/model-request.js';

/**
 * Converts function names to what providers accept (letters, digits, dashes, underscores) and back: dots become underscores in
 * requests, and calls get the client's spelling.
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

export function toolName(name: string): string {
  return name.includes('.') ? name.replaceAll('.', '_') : name;
}
