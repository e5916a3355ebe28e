import { workflowInput, workflowLimits } from '@tollgate/api';
import { z } from 'zod';
import { isOfType } from '../input-values.js';
import type { Json, JsonObject } from '../json.js';
import type { PlanInput } from '../plan.js';
import type { Issues } from './issues.js';

/** The declared inputs of a workflow.v1 spec. */
export function compileInputs(spec: JsonObject, issues: Issues): PlanInput[] {
  const declared = issues.parse(z.array(workflowInput).max(workflowLimits.inputs).default([]), spec.inputs, ['inputs']);
  const names = new Set<string>();
  return (declared ?? []).map(({ description: _words, default: fallback, ...input }, index) => {
    if (names.has(input.name)) {
      issues.add('DUPLICATE_INPUT', ['inputs', index, 'name'], `a second input ${input.name}`);
    }
    names.add(input.name);
    if (fallback === undefined) return input;
    if (!isOfType(fallback as Json, input.type)) {
      issues.add('INVALID_VALUE', ['inputs', index, 'default'], `is not of type ${input.type}`);
    }
    return { ...input, default: fallback as Json };
  });
}
