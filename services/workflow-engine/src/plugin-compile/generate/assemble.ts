import type { AgentFile } from '../tree/agent-file.js';
import type { Plugin } from '../tree/read-plugin.js';
import type { CompileKind } from '../tree/source-tree.js';
import type { Draft, DraftStep } from './draft.js';
import { toolDefinitions } from './tool-definitions.js';

/** Where the answer of a model step has its text. */
const TEXT = '/output/0/content/0/text';

/** The input of a skill's workflow. */
const TASK_INPUT = 'task';

interface Message {
  type: 'message';
  role: 'system' | 'user';
  content: { type: 'text'; text: string }[];
}

type Binding = { to: string; pointer: string } & ({ from: string } | { from_input: string });

/**
 * The workflow of a draft: one model step per step of it, with the agent's prompt, its task, and the texts of the steps
 * before it. Plugins become `workflow.v0`; skills `workflow.v1`, with the user's task as an input.
 */
export function assembleWorkflow(
  plugin: Plugin,
  kind: CompileKind,
  model: string | undefined,
  draft: Draft,
): Record<string, unknown> {
  const agents = new Map(plugin.agents.map((agent) => [agent.name, agent]));
  const agentOf = new Map(draft.steps.map(({ id, agent }) => [id, agent]));
  const nodes = draft.steps.map((step) => nodeOf(step, agents.get(step.agent)!, agentOf, kind, model));
  const read = new Set(draft.steps.flatMap(({ after }) => after));
  const last = draft.steps.filter(({ id }) => !read.has(id));
  return {
    kind: kind === 'skill' ? 'workflow.v1' : 'workflow.v0',
    name: plugin.name.slice(0, 256),
    ...(kind === 'skill' && { inputs: [taskInput()] }),
    nodes,
    outputs: last.map(({ id }) => ({ name: id, from: id, pointer: TEXT })),
  };
}

function taskInput() {
  return { name: TASK_INPUT, type: 'string', description: 'What the skill is to be applied to', default: '' };
}

function nodeOf(
  { id, task, after }: DraftStep,
  agent: AgentFile,
  agentOf: ReadonlyMap<string, string>,
  kind: CompileKind,
  model: string | undefined,
) {
  const input: Message[] = [message('system', agent.systemPrompt), message('user', task)];
  const bindings: Binding[] = [];
  if (kind === 'skill') {
    bindings.push({ from_input: TASK_INPUT, pointer: '', to: textPlace(input.length) });
    input.push(message('user', 'The task of the user:', ''));
  }
  for (const from of new Set(after)) {
    bindings.push({ from, pointer: TEXT, to: textPlace(input.length) });
    input.push(message('user', `The result of ${agentOf.get(from) ?? from} (${from}):`, ''));
  }
  const tools = toolDefinitions(agent.tools ?? []);
  return {
    id,
    type: 'llm.responses',
    input: {
      request: { ...(model !== undefined && { model }), input, ...(tools.length > 0 && { tools }) },
      // Tools of a plugin are those of the program that it is made for.
      ...(tools.length > 0 && { tool_execution: { mode: 'client' } }),
      ...(bindings.length > 0 && { bindings }),
    },
  };
}

/** The second part of a message: what a binding fills in. */
function textPlace(messageIndex: number): string {
  return `/input/${messageIndex}/content/1/text`;
}

function message(role: Message['role'], ...texts: string[]): Message {
  return { type: 'message', role, content: texts.map((text) => ({ type: 'text', text })) };
}
