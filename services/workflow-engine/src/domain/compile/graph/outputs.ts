import { workflowLimits, workflowOutput } from '@tollgate/api/runs';
import type { PlanOutput } from '../../plan/plan.js';
import type { JsonObject } from '../../values/json.js';
import type { Issues } from '../issues.js';
import type { Dependencies } from './graph.js';

/** Compiles the declared outputs of a run. */
export function compileOutputs(spec: JsonObject, dependencies: Dependencies, issues: Issues): PlanOutput[] {
  const outputs = issues.parseEach(workflowOutput, spec.outputs, ['outputs'], workflowLimits.outputs);
  const names = new Set<string>();
  for (const { value, path } of outputs) {
    const { name, from } = value;
    if (names.has(name)) issues.add('DUPLICATE_OUTPUT', [...path, 'name'], `output ${name} is declared twice`);
    names.add(name);
    if (!dependencies.has(from)) issues.add('UNKNOWN_NODE', [...path, 'from'], `no node ${from}`);
  }
  return outputs.map(({ value }) => value);
}
