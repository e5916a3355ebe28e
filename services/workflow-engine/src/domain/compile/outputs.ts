import { workflowLimits, workflowOutput } from '@tollgate/api';
import { z } from 'zod';
import type { JsonObject } from '../json.js';
import type { PlanOutput } from '../plan.js';
import type { Dependencies } from './graph.js';
import type { Issues } from './issues.js';

const schema = z.array(workflowOutput).max(workflowLimits.outputs).default([]);

/** What the run gives in the end. */
export function compileOutputs(spec: JsonObject, dependencies: Dependencies, issues: Issues): PlanOutput[] {
  const outputs = issues.parse(schema, spec.outputs, ['outputs']) ?? [];
  const names = new Set<string>();
  for (const [index, { name, from }] of outputs.entries()) {
    if (names.has(name)) issues.add('DUPLICATE_OUTPUT', ['outputs', index, 'name'], `a second output ${name}`);
    names.add(name);
    if (!dependencies.has(from)) issues.add('UNKNOWN_NODE', ['outputs', index, 'from'], `no node ${from}`);
  }
  return outputs;
}
