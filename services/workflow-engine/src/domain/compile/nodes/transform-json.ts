import { transformMerge, transformObject, workflowLimits } from '@tollgate/api/runs';
import { z } from 'zod';
import type { Source, Transform } from '../../plan/plan.js';
import { isJsonObject, type JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import { compileSource, findReads, sourceSchema } from '../graph/sources.js';
import type { Path } from '../issues.js';

type PlacedSource = { source: Source; path: Path };

/** Compiles `transform.json`: `{from, pointer}`, `{object: {key: {from, pointer}}}` or `{merge: [{from, pointer}]}`. */
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
  const place = [...at, 'object'];
  if (!scope.issues.parse(transformObject(z.unknown()), input.object, place)) return undefined;
  // Uses the original keys: the parsed copy lacks `__proto__`.
  const members = Object.entries(input.object as JsonObject);
  if (members.length > workflowLimits.transformSources) {
    scope.issues.add('LIMIT_EXCEEDED', place, `at most ${workflowLimits.transformSources} keys`);
  }
  const entries = members.flatMap(([key, value]) => {
    const path = [...place, key];
    const source = scope.issues.parse(sourceSchema(scope), value, path);
    return source ? [{ key, path, source: compileSource(source, path, scope) }] : [];
  });
  return compiled(id, { form: 'object', entries: entries.map(({ key, source }) => ({ key, source })) }, entries);
}

function compileMerge(id: string, input: JsonObject, at: Path, scope: CompileScope): CompiledNode | undefined {
  const place = [...at, 'merge'];
  if (!scope.issues.parse(transformMerge(z.unknown()), input.merge, place)) return undefined;
  const parsed = scope.issues.parseEach(sourceSchema(scope), input.merge, place, workflowLimits.transformSources);
  const reads = parsed.map(({ value, path }) => ({ source: compileSource(value, path, scope), path }));
  return compiled(id, { form: 'merge', sources: reads.map(({ source }) => source) }, reads);
}

function compiled(id: string, transform: Transform, sources: PlacedSource[]): CompiledNode {
  return { node: { id, type: 'transform.json', transform }, reads: findReads(sources) };
}
