import type { InputMessage, ResponsesBody } from '@tollgate/api';
import { canonicalToolName } from '@tollgate/tools';

const MEMORY_HEADING = '## Agent Memory';
const CUSTOMER_HEADING = '### This customer';

/** The text of what an agent remembers in one run. The second heading separates the documents when both have content. */
export function memoryText({ content, customerContent }: { content: string; customerContent: string }): string {
  if (content === '' || customerContent === '') return content + customerContent;
  return `${content}\n\n${CUSTOMER_HEADING}\n\n${customerContent}`;
}

/** An agent's system prompt: what it remembers under a heading of its own, a horizontal rule, then the original prompt. */
export function systemPrompt(system: string, memory: string): string {
  if (memory === '') return system;
  return `${MEMORY_HEADING}\n\n${memory}\n\n---\n\n${system}`.trimEnd();
}

/** Messages before those that the agent is given. */
export function withPreamble(request: ResponsesBody, system: string, context: readonly string[]): ResponsesBody {
  const preamble = [
    ...(system === '' ? [] : [message('system', system)]),
    ...context.map((text) => message('user', text)),
  ];
  return { ...request, input: [...preamble, ...request.input] };
}

/**
 * The request with the tools that its model can call: every agent is offered its memory, which must not keep one that
 * needs no tools from a model that has none.
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
