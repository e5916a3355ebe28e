import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import type { Issues, Path } from '../issues.js';

/** Fields of a node that stand on it or under its `input`, where they go first. */
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
    // A node's `input` that is an object holds fields; it is none.
    if (own !== undefined || (name === 'input' && isJsonObject(this.#spec.input))) return own;
    return this.#spec[name];
  }

  /** Where the field stands, or would stand. */
  at(name: string): Path {
    return this.#input[name] === undefined && !('input' in this.#input && name === 'input')
      ? [...this.#path, name]
      : [...this.#path, 'input', name];
  }

  /** The parsed fields, or undefined after their faults were added, each where it stands. */
  parse<S extends z.ZodObject>(schema: S, issues: Issues): z.output<S> | undefined {
    const given: JsonObject = {};
    for (const name of Object.keys(schema.shape)) {
      const value = this.get(name);
      if (value !== undefined) given[name] = value;
    }
    const result = schema.safeParse(given, { reportInput: true });
    if (result.success) return result.data;
    for (const issue of result.error.issues) {
      const [name, ...rest] = issue.path;
      const path = name === undefined ? this.#path : [...this.at(String(name)), ...rest];
      issues.addSchemaIssues([{ ...issue, path: [] }], path);
    }
    return undefined;
  }
}
