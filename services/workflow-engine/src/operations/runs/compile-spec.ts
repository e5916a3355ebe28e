import type { Call } from '@tollgate/rpc';
import type { CompileThread } from '../../clients/compile-thread.js';
import { type CompileResult, compileSpec } from '../../domain/compile/compile.js';
import type { AgentDirectory } from '../../domain/compile/nodes/agent-config.js';
import type { Plan } from '../../domain/plan/plan.js';
import { isJsonObject, type Json, parseJson, writeJson } from '../../domain/values/json.js';

/** A spec, with the JSON that it was parsed from if the caller has it. */
export interface SpecText {
  value: unknown;
  text?: string;
}

export interface ParsedSpec extends SpecText {
  /** Undefined for an empty text. */
  value: Json | undefined;
  text: string;
}

/** Compiling a graph of more nodes and edges takes milliseconds, of thousands a tenth of a second. */
const SMALL_GRAPH_MAX = 20;

/** Compiles a spec: a large one, or one with agents that have large fragments, in the thread. @throws AppError SERVICE_UNAVAILABLE */
export async function compileLargeSpec(
  thread: Pick<CompileThread, 'run'>,
  { value, text }: SpecText,
  agents: AgentDirectory,
  call: Call,
): Promise<CompileResult> {
  if (!isLarge(value, agents)) return compileSpec(value, agents);
  const compiled = await thread.run('spec', { json: text ?? writeJson(value as Json), agents }, call);
  return compiled.ok ? { ...compiled, plan: parseJson(compiled.text) as unknown as Plan } : compiled;
}

function isLarge(spec: unknown, agents: AgentDirectory): boolean {
  let parts = countParts(spec);
  for (const { fragments } of agents.values()) {
    for (const fragment of Object.values(fragments)) parts += countParts(fragment);
  }
  return parts > SMALL_GRAPH_MAX;
}

/** Counts the nodes and edges of a spec that is not checked yet. */
function countParts(spec: unknown): number {
  if (!isJsonObject(spec)) return 0;
  return [spec.nodes, spec.edges].reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 0);
}
