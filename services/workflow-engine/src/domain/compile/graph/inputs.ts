import { workflowInput, workflowLimits } from '@tollgate/api/runs';
import type { PlanInput } from '../../plan/plan.js';
import { isOfType } from '../../values/input-values.js';
import type { Json, JsonObject } from '../../values/json.js';
import type { Issues } from '../issues.js';

/** Compiles the declared inputs of a workflow.v1 spec. */
export function compileInputs(spec: JsonObject, issues: Issues): PlanInput[] {
  const declared = issues.parseEach(workflowInput, spec.inputs, ['inputs'], workflowLimits.inputs);
  const names = new Set<string>();
  return declared.map(({ value: { description: _description, default: fallback, ...input }, path }) => {
    if (names.has(input.name))
      issues.add('DUPLICATE_INPUT', [...path, 'name'], `input ${input.name} is declared twice`);
    names.add(input.name);
    if (fallback === undefined) return input;
    if (!isOfType(fallback as Json, input.type)) {
      issues.add('INVALID_VALUE', [...path, 'default'], `must be of type ${input.type}`);
    }
    return { ...input, default: fallback as Json };
  });
}
