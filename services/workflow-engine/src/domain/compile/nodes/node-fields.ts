import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import { safeParse } from '../../values/safe-parse.js';
import type { Issues, Path } from '../issues.js';

/** Reads a node's fields from its `input` or, if they are not there, from the node itself. */
export class NodeFields {
  readonly #spec: JsonObject;
  readonly #input: JsonObject;
  readonly #path: Path;

  constructor(spec: JsonObject, path: Path) {
    this.#spec = spec;
    this.#input = isJsonObject(spec.input) ? spec.input : {};
    this.#path = path;
  }

  get(name: string): Json | undefined {
    const own = this.#input[name];
    // An `input` that is an object contains fields; it is not itself the field `input`.
    if (own !== undefined || (name === 'input' && isJsonObject(this.#spec.input))) return own;
    return this.#spec[name];
  }

  /** Returns the path of a field, which may be missing. */
  at(name: string): Path {
    return this.#input[name] === undefined && !('input' in this.#input && name === 'input')
      ? [...this.#path, name]
      : [...this.#path, 'input', name];
  }

  /** Returns the parsed fields, or undefined after it has added their issues, each at the field's path. */
  parse<S extends z.ZodObject>(schema: S, issues: Issues): z.output<S> | undefined {
    const fields: JsonObject = {};
    for (const name of Object.keys(schema.shape)) {
      const value = this.get(name);
      if (value !== undefined) fields[name] = value;
    }
    const result = safeParse(schema, fields);
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const [name, ...rest] = issue.path;
      const path = name === undefined ? this.#path : [...this.at(String(name)), ...rest];
      issues.addSchemaIssues([{ ...issue, path: [] }], path);
    }
    return undefined;
  }
}
