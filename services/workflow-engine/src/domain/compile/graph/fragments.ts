import { limits } from '../../limits.js';
import type { Subgraph } from '../../plan/plan.js';
import type { JsonObject } from '../../values/json.js';
import type { CompileScope } from '../compiled-node.js';
import { Issues, type Path } from '../issues.js';
import type { AgentConfig } from '../nodes/agent-config.js';
import { compileInputs } from './inputs.js';

type CompileGraph = (spec: JsonObject, scope: Omit<CompileScope, 'inputs'>) => Subgraph;

/** What the agents of a spec bring with them: their fragments, each compiled once. They may name each other. */
export class Fragments {
  readonly compiled = new Map<string, Subgraph>();
  readonly #compile: CompileGraph;
  readonly #sizes = new Map<AgentConfig, number>();
  #charsLeft: number = limits.agentsChars;

  constructor(compile: CompileGraph) {
    this.#compile = compile;
  }

  /** Whether there is room for the agent once more: a spec may name a large one many times. */
  hasRoomFor(agent: AgentConfig): boolean {
    const size = this.#sizes.get(agent) ?? JSON.stringify(agent).length;
    this.#sizes.set(agent, size);
    this.#charsLeft -= size;
    return this.#charsLeft >= 0;
  }

  /** The key of an agent's fragment. Undefined after its faults were added at `path`, where the spec names the agent. */
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
    // Known before its nodes are: one of them may be an agent that has this very fragment.
    this.compiled.set(key, { inputs: compileInputs(fragment, new Issues()), nodes: [], outputs: [] });
    const issues = new Issues();
    this.compiled.set(key, this.#compile(fragment, { ...scope, kind: 'workflow.v1', isSubnode: false, issues }));
    for (const fault of issues.found)
      scope.issues.add(fault.code, path, `in fragment ${key}${fault.path}: ${fault.message}`);
    return key;
  }
}
