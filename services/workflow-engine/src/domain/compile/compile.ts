import { WORKFLOW_KINDS, type WorkflowKind, workflowExecution, workflowName } from '@tollgate/api/runs';
import type { SpecIssue } from '@tollgate/errors';
import { type HashedPlan, hashPlan, type Plan } from '../plan/plan.js';
import { isJsonObject, type JsonObject } from '../values/json.js';
import { compileGraph } from './graph/compile-graph.js';
import { Fragments } from './graph/fragments.js';
import { Issues } from './issues.js';
import { type AgentDirectory, NO_AGENTS } from './nodes/agent-config.js';

export type CompileResult = ({ ok: true } & HashedPlan) | { ok: false; issues: readonly SpecIssue[] };

/**
 * Compiles a spec into a plan, or returns all of its issues. The same spec with the same agents gives the same plan and
 * hash. `agents` contains the existing agents that the spec and the agents' own fragments name.
 */
export function compileSpec(spec: unknown, agents: AgentDirectory = NO_AGENTS): CompileResult {
  const issues = new Issues();
  if (!isJsonObject(spec)) {
    issues.add('INVALID_VALUE', [], 'must be an object');
    return { ok: false, issues: issues.found };
  }
  const kind = readKind(spec, issues);
  const name = issues.parse(workflowName.optional(), spec.name, ['name']);
  const fragments = new Fragments(compileGraph);
  const { inputs, nodes, outputs } = compileGraph(spec, { kind, isSubnode: false, issues, agents, fragments });
  const execution = issues.parse(workflowExecution.prefault({}), spec.execution, ['execution']);
  if (issues.found.length > 0 || !execution) return { ok: false, issues: issues.found };
  const plan: Plan = { kind, nodes, outputs, execution };
  if (inputs.length > 0) plan.inputs = inputs;
  if (name !== undefined) plan.name = name;
  if (fragments.compiled.size > 0) plan.fragments = Object.fromEntries(fragments.compiled);
  return { ok: true, ...hashPlan(plan) };
}

/** Reads a spec of an unknown kind as workflow.v1, so that its other issues are reported too. */
function readKind(spec: JsonObject, issues: Issues): WorkflowKind {
  if (WORKFLOW_KINDS.includes(spec.kind as WorkflowKind)) return spec.kind as WorkflowKind;
  const code = spec.kind === undefined ? 'REQUIRED' : 'INVALID_VALUE';
  issues.add(code, ['kind'], `must be ${WORKFLOW_KINDS.join(' or ')}`);
  return 'workflow.v1';
}
