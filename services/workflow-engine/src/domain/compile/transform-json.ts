import { isJsonObject, type JsonObject } from '../json.js';
import { limits } from '../limits.js';
import type { Source, Transform } from '../plan.js';
import type { CompiledNode } from './compiled-node.js';
import type { Issues, Path } from './issues.js';
import { sourceSchema, transformMergeSchema, transformObjectSchema } from './spec-schema.js';

/** `transform.json`: `{from, pointer}`, or `{object: {key: {from, pointer}}}`, or `{merge: [{from, pointer}]}`. */
export function compileTransformJson(
  id: string,
  spec: JsonObject,
  path: Path,
  issues: Issues,
): CompiledNode | undefined {
  const at = [...path, 'input'];
  const input = spec.input;
  if (!isJsonObject(input)) {
    issues.add(input === undefined ? 'REQUIRED' : 'INVALID_VALUE', at, 'must be an object');
    return undefined;
  }
  const forms = ['from', 'object', 'merge'].filter((form) => input[form] !== undefined);
  if (forms.length !== 1) {
    issues.add('INVALID_VALUE', at, 'needs exactly one of from, object and merge');
    return undefined;
  }
  if (forms[0] === 'object') return compileObject(id, input, at, issues);
  if (forms[0] === 'merge') return compileMerge(id, input, at, issues);
  const source = issues.parse(sourceSchema, input, at);
  return source && compiled(id, { form: 'pick', source }, [{ source, path: at }]);
}

function compileObject(id: string, input: JsonObject, at: Path, issues: Issues): CompiledNode | undefined {
  const object = issues.parse(transformObjectSchema, input.object, [...at, 'object']);
  if (!object) return undefined;
  const entries = Object.entries(object).map(([key, source]) => ({ key, source }));
  if (entries.length > limits.transformSources) {
    issues.add('LIMIT_EXCEEDED', [...at, 'object'], `at most ${limits.transformSources} keys`);
  }
  const reads = entries.map(({ key, source }) => ({ source, path: [...at, 'object', key] }));
  return compiled(id, { form: 'object', entries }, reads);
}

function compileMerge(id: string, input: JsonObject, at: Path, issues: Issues): CompiledNode | undefined {
  const sources = issues.parse(transformMergeSchema, input.merge, [...at, 'merge']);
  if (!sources) return undefined;
  const reads = sources.map((source, index) => ({ source, path: [...at, 'merge', index] }));
  return compiled(id, { form: 'merge', sources }, reads);
}

function compiled(id: string, transform: Transform, reads: { source: Source; path: Path }[]): CompiledNode {
  return {
    node: { id, type: 'transform.json', transform },
    reads: reads.map(({ source, path }) => ({ nodeId: source.from, path: [...path, 'from'] })),
  };
}
