import { anySource, switchCase, switchInput, workflowLimits } from '@tollgate/api/runs';
import { z } from 'zod';
import type { SwitchCase } from '../../plan/plan.js';
import { isJsonObject, type Json, type JsonObject } from '../../values/json.js';
import type { CompiledNode, CompileScope } from '../compiled-node.js';
import { checkPattern } from '../graph/guards.js';
import { compileSource, findReads, pathToPointer } from '../graph/sources.js';
import type { Path } from '../issues.js';
import { compileModelFields } from './model-node.js';

/**
 * Compiles `route.switch`, which chooses a route by cases over a value or by a model. Outgoing edges test the route.
 */
export function compileRouteSwitch(
  id: string,
  spec: JsonObject,
  path: Path,
  scope: CompileScope,
): CompiledNode | undefined {
  if (hasCases(spec)) return compileCases(id, spec.input as JsonObject, [...path, 'input'], scope);
  const model = compileModelFields(spec, path, scope, []);
  return model && { node: { id, type: 'route.switch', ...model.fields }, reads: model.reads };
}

/** Whether the switch decides by cases, without a model. */
export function hasCases(spec: JsonObject): boolean {
  return isJsonObject(spec.input) && 'cases' in spec.input;
}

function compileCases(id: string, input: JsonObject, at: Path, scope: CompileScope): CompiledNode | undefined {
  const { issues } = scope;
  const source = issues.parse(anySource, input, at);
  const parsed = issues.parse(switchInput.pick({ default: true }), input, at);
  const entries = issues.parse(z.array(z.unknown()).min(1), input.cases, [...at, 'cases']);
  const cases = issues
    .parseEach(switchCase, entries, [...at, 'cases'], workflowLimits.switchCases)
    .map(({ value: { route, op, path, value }, path: place }): SwitchCase => {
      checkPattern(op, value, [...place, 'value'], issues);
      return { route, op, pointer: pathToPointer(path), ...(value !== undefined && { value: value as Json }) };
    });
  if (!source || !parsed) return undefined;
  const from = compileSource(source, at, scope);
  const fallback = parsed.default === undefined ? {} : { default: parsed.default };
  return {
    node: { id, type: 'route.switch', source: from, cases, ...fallback },
    reads: findReads([{ source: from, path: at }]),
  };
}
