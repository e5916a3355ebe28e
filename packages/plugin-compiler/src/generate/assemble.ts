import type { WorkflowKind } from '@tollgate/api/runs';
import type { AgentFile } from '../tree/agent-file.js';
import type { Plugin } from '../tree/read-plugin.js';
import type { Draft, DraftStep } from './draft.js';
import { toolDefinitions } from './tool-definitions.js';

/** The pointer to the text of a model step's answer. */
const TEXT = '/output/0/content/0/text';

/** The input of a `workflow.v1`. */
const TASK_INPUT = 'task';

interface Message {
  type: 'message';
  role: 'system' | 'user';
  content: { type: 'text'; text: string }[];
}

type Binding = { to: string; pointer: string } & ({ from: string } | { from_input: string });

export interface DraftedPlugin {
  plugin: Plugin;
  kind: WorkflowKind;
  /** Undefined: the payer's default model. */
  model: string | undefined;
  draft: Draft;
}

/**
 * Builds the workflow of a draft: one model node per step, with the agent's prompt, the task, and the texts of the
 * steps before it. A `workflow.v1` takes the user's task as an input, which each step reads; a `workflow.v0` has none.
 */
export function assembleWorkflow({ plugin, kind, model, draft }: DraftedPlugin): Record<string, unknown> {
  const agents = new Map(plugin.agents.map((agent) => [agent.name, agent]));
  const agentNames = new Map(draft.steps.map(({ id, agent }) => [id, agent]));
  const nodes = draft.steps.map((step) => buildNode(step, { agent: agents.get(step.agent)!, agentNames, kind, model }));
  const read = new Set(draft.steps.flatMap(({ after }) => after));
  const last = draft.steps.filter(({ id }) => !read.has(id));
  return {
    kind,
    name: plugin.name.slice(0, 256),
    ...(kind === 'workflow.v1' && { inputs: [taskInput()] }),
    nodes,
    outputs: last.map(({ id }) => ({ name: id, from: id, pointer: TEXT })),
  };
}

function taskInput() {
  return { name: TASK_INPUT, type: 'string', description: 'The task of the user', default: '' };
}

interface NodeParts {
  agent: AgentFile;
  /** By step. */
  agentNames: ReadonlyMap<string, string>;
  kind: WorkflowKind;
  model: string | undefined;
}

function buildNode({ id, task, after }: DraftStep, { agent, agentNames, kind, model }: NodeParts) {
  const input: Message[] = [message('system', agent.systemPrompt), message('user', task)];
  const bindings: Binding[] = [];
  if (kind === 'workflow.v1') {
    bindings.push({ from_input: TASK_INPUT, pointer: '', to: textPlace(input.length) });
    input.push(message('user', 'The task of the user:', ''));
  }
  for (const from of new Set(after)) {
    bindings.push({ from, pointer: TEXT, to: textPlace(input.length) });
    input.push(message('user', `The result of ${agentNames.get(from) ?? from} (${from}):`, ''));
  }
  const tools = toolDefinitions(agent.tools ?? []);
  return {
    id,
    type: 'llm.responses',
    input: {
      request: { ...(model !== undefined && { model }), input, ...(tools.length > 0 && { tools }) },
      // The program that the plugin is made for executes its tools.
      ...(tools.length > 0 && { tool_execution: { mode: 'client' } }),
      ...(bindings.length > 0 && { bindings }),
    },
  };
}

/** Returns the pointer to the second part of a message, which a binding fills in. */
function textPlace(messageIndex: number): string {
  return `/input/${messageIndex}/content/1/text`;
}

function message(role: Message['role'], ...texts: string[]): Message {
  return { type: 'message', role, content: texts.map((text) => ({ type: 'text', text })) };
}
