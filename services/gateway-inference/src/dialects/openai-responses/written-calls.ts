import type { AnswerToolCall } from '../../domain/model-answer.js';
import type { DeclaredTool } from './declared-tools.js';

type Json = Record<string, unknown>;
type Form = Omit<DeclaredTool, 'offered'>;

/** Writes a call of a client's tool as an item of this dialect. `call.name` is the name that the provider used. */
export function callItem(id: string, call: AnswerToolCall, form: Form, status: string): Json {
  const { id: callId } = call;
  const { name, namespace } = form;
  const place = namespace === undefined ? {} : { namespace };
  switch (form.form) {
    case 'custom':
      return { id, type: 'custom_tool_call', status, call_id: callId, name, ...place, input: customInput(call) };
    case 'local_shell':
      return { id, type: 'local_shell_call', status, call_id: callId, action: shellAction(call) };
    case 'tool_search': {
      const execution = 'client';
      return {
        id,
        type: 'tool_search_call',
        status,
        call_id: callId,
        execution,
        arguments: parse(call.arguments) ?? {},
      };
    }
    case 'function':
      return { id, type: 'function_call', status, call_id: callId, name, ...place, arguments: call.arguments };
  }
}

/** Returns the input of a custom tool: the argument of the function that stood for it, or else all that the model wrote. */
export function customInput({ arguments: text }: AnswerToolCall): string {
  const input = parse(text)?.input;
  return typeof input === 'string' ? input : text;
}

function shellAction({ arguments: text }: AnswerToolCall): Json {
  const { command, timeout_ms: timeout, working_directory: directory } = parse(text) ?? {};
  return {
    type: 'exec',
    command: Array.isArray(command) ? command.map(String) : [],
    env: {},
    ...(typeof timeout === 'number' ? { timeout_ms: timeout } : {}),
    ...(typeof directory === 'string' ? { working_directory: directory } : {}),
  };
}

function parse(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}
