import { transformMerge, transformObject, workflowLimits } from '@tollgate/api';
import { isJsonObject, type JsonObject } from '../json.js';
import type { Source, Transform } from '../plan.js';
import type { CompiledNode, CompileScope } from './compiled-node.js';
import type { Path } from './issues.js';
import { compileSource, readsOf, sourceSchema } from './sources.js';

type PlacedSource = { source: Source; path: Path };

/** `transform.json`: `{from, pointer}`, or `{object: {key: {from, pointer}}}`, or `{merge: [{from, pointer}]}`. */
export function compileTransformJson(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  const at = [...path, 'input'];
  const input = spec.input;
  if (!isJsonObject(input)) {
    scope.issues.add(input === undefined ? 'REQUIRED' : 'INVALID_VALUE', at, 'must be an object');
    return undefined;
  }
  const isPick = input.from !== undefined || (scope.kind === 'workflow.v1' && input.from_input !== undefined);
  const forms = ['object', 'merge'].filter((form) => input[form] !== undefined);
  if (forms.length + (isPick ? 1 : 0) !== 1) {
    scope.issues.add('INVALID_VALUE', at, 'needs exactly one of from, object and merge');
    return undefined;
  }
  if (forms[0] === 'object') return compileObject(id, input, at, scope);
  if (forms[0] === 'merge') return compileMerge(id, input, at, scope);
  const parsed = scope.issues.parse(sourceSchema(scope), input, at);
  if (!parsed) return undefined;
  const source = compileSource(parsed, at, scope);
  return compiled(id, { form: 'pick', source }, [{ source, path: at }]);
}

function compileObject(id: string, input: JsonObject, at: Path, scope: CompileScope): CompiledNode | undefined {
  const object = scope.issues.parse(transformObject(sourceSchema(scope)), input.object, [...at, 'object']);
  if (!object) return undefined;
  const entries = Object.entries(object).map(([key, source]) => {
    return { key, source: compileSource(source, [...at, 'object', key], scope) };
  });
  if (entries.length > workflowLimits.transformSources) {
    scope.issues.add('LIMIT_EXCEEDED', [...at, 'object'], `at most ${workflowLimits.transformSources} keys`);
  }
  const reads = entries.map(({ key, source }) => ({ source, path: [...at, 'object', key] }));
  return compiled(id, { form: 'object', entries }, reads);
}

function compileMerge(id: string, input: JsonObject, at: Path, scope: CompileScope): CompiledNode | undefined {
  const parsed = scope.issues.parse(transformMerge(sourceSchema(scope)), input.merge, [...at, 'merge']);
  if (!parsed) return undefined;
  const reads = parsed.map((source, index) => {
    const path = [...at, 'merge', index];
    return { source: compileSource(source, path, scope), path };
  });
  return compiled(id, { form: 'merge', sources: reads.map(({ source }) => source) }, reads);
}

function compiled(id: string, transform: Transform, sources: PlacedSource[]): CompiledNode {
  return { node: { id, type: 'transform.json', transform }, reads: readsOf(sources) };
}
