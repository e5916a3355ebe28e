import type { InputMessage, ResponsesBody } from '@tollgate/api/model-requests';
import { canonicalToolName } from '@tollgate/tools';

const MEMORY_HEADING = '## Agent Memory';
const CUSTOMER_HEADING = '### This customer';

/**
 * Returns the text of an agent's memory in one run. A second heading separates the two documents if both have content.
 */
export function memoryText({ content, customerContent }: { content: string; customerContent: string }): string {
  if (content === '' || customerContent === '') return content + customerContent;
  return `${content}\n\n${CUSTOMER_HEADING}\n\n${customerContent}`;
}

/** Returns an agent's system prompt: its memory under a heading, a horizontal rule, then the original prompt. */
export function systemPrompt(system: string, memory: string): string {
  if (memory === '') return system;
  return `${MEMORY_HEADING}\n\n${memory}\n\n---\n\n${system}`.trimEnd();
}

/** Adds messages before the agent's input. */
export function withPreamble(request: ResponsesBody, system: string, context: readonly string[]): ResponsesBody {
  const preamble = [
    ...(system === '' ? [] : [message('system', system)]),
    ...context.map((text) => message('user', text)),
  ];
  return { ...request, input: [...preamble, ...request.input] };
}

/**
 * Removes the memory tool, which every agent has, from a request whose model supports no tools, if it is the only tool.
 * Otherwise such models could not run agents.
 */
export function toolsFor(
  request: ResponsesBody,
  model: { capabilities: readonly string[] } | undefined,
): ResponsesBody {
  const { tools, ...rest } = request;
  if (!model || model.capabilities.includes('tool_use') || tools?.length !== 1) return request;
  return canonicalToolName(tools[0]?.function?.name ?? '') === 'memory_write' ? rest : request;
}

function message(role: 'system' | 'user', text: string): InputMessage {
  return { type: 'message', role, content: [{ type: 'text', text }] };
}
