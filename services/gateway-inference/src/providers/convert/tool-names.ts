import { AppError } from '@tollgate/errors';
import type { ModelRequest } from '../../domain/model-request.js';

/**
 * Function names as this provider accepts them (letters, digits, dashes, underscores): dots become underscores on the
 * way out and the client's spelling comes back with the call.
 */
export class ToolNames {
  readonly #declared = new Map<string, string>();
  /** The model has something to call: only then an answer has to be kept in the vendor's form. */
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

  /** The client's spelling of a name the provider used. */
  original(offered: string): string {
    return this.#declared.get(offered) ?? offered;
  }
}

export function toolName(name: string): string {
  return name.includes('.') ? name.replaceAll('.', '_') : name;
}
