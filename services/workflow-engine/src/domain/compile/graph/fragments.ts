import { workflowInput, workflowLimits } from '@tollgate/api/runs';
import { limits } from '../../limits.js';
import type { PlanInput, Subgraph } from '../../plan/plan.js';
import { isOfType } from '../../values/input-values.js';
import type { Json, JsonObject } from '../../values/json.js';
import type { CompileScope, FragmentCompiler } from '../compiled-node.js';
import { Issues, type Path } from '../issues.js';
import type { AgentConfig } from '../nodes/agent-config.js';

type CompileGraph = (spec: JsonObject, scope: Omit<CompileScope, 'inputs'>) => Subgraph;

/** The fragments of a spec's agents, each compiled once. They may name each other. */
export class Fragments implements FragmentCompiler {
  readonly compiled = new Map<string, Subgraph>();
  readonly #compile: CompileGraph;
  readonly #sizes = new Map<AgentConfig, number>();
  #charsLeft: number = limits.agentsChars;

  constructor(compile: CompileGraph) {
    this.#compile = compile;
  }

  hasRoomFor(agent: AgentConfig): boolean {
    const size = this.#sizes.get(agent) ?? JSON.stringify(agent).length;
    this.#sizes.set(agent, size);
    this.#charsLeft -= size;
    return this.#charsLeft >= 0;
  }

  use(agent: AgentConfig, name: string, path: Path, scope: CompileScope): string | undefined {
    const key = `${agent.slug}@${agent.revision}/${name}`;
    if (this.compiled.has(key)) return key;
    const spec = Object.hasOwn(agent.fragments, name) ? agent.fragments[name] : undefined;
    if (!spec) {
      const message = `agent ${agent.slug}@${agent.revision} has no fragment ${name}`;
      scope.issues.add('UNKNOWN_FRAGMENT', path, message);
      return undefined;
    }
    const fragment = spec as JsonObject;
    // Registered before its nodes are compiled: one of them may be an agent with the same fragment.
    this.compiled.set(key, { inputs: compileInputs(fragment, new Issues()), nodes: [], outputs: [] });
    const issues = new Issues();
    this.compiled.set(key, this.#compile(fragment, { ...scope, kind: 'workflow.v1', isSubnode: false, issues }));
    for (const issue of issues.found) {
      scope.issues.add(issue.code, path, `in fragment ${key}${issue.path}: ${issue.message}`);
    }
    return key;
  }
}

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
