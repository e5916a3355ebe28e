import { randomUUID } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { AnswerToolCall, ModelAnswer } from '../../domain/model-answer.js';
import type { FunctionTool, ModelRequest } from '../../domain/model-request.js';
import type { ModelListener } from '../contract/provider.js';
import { parseObject } from '../convert/answer-reading.js';
import { toArgumentsSchema } from '../convert/arguments-schema.js';
import type { SchemaDialect } from '../convert/schema-dialect.js';
import { relayTo } from '../listen/relay.js';

/**
 * A tool that must be called, at a model that cannot be forced to call one: the model writes the arguments as an answer by a schema, and
 * the answer becomes the call.
 */
export interface ForcedTool {
  /** Those that the model chooses from. */
  tools: readonly FunctionTool[];
}

/** Members of an answer that chooses a tool. */
const TOOL = 'tool';
const ARGUMENTS = 'arguments';

/** Returns the tools of which one must be called; undefined if none must. */
export function findForced({ tools, toolChoice: choice }: ModelRequest): ForcedTool | undefined {
  if (tools.length === 0 || choice === undefined || choice.type === 'none') return undefined;
  if (choice.function === undefined) return choice.type === 'required' ? { tools } : undefined;
  const named = tools.filter(({ name }) => name === choice.function);
  return named.length > 0 ? { tools: named } : undefined;
}

/** Returns the schema of the answer, before it is closed: the tool's arguments, or the choice of a tool with its arguments. */
export function toAnswerSchema({ tools }: ForcedTool): JsonObject {
  const [only] = tools;
  if (only && tools.length === 1) return describe(only);
  const choices = tools.map((tool) => ({
    type: 'object',
    properties: { [TOOL]: { enum: [tool.name] }, [ARGUMENTS]: describe(tool) },
    required: [TOOL, ARGUMENTS],
  }));
  return { type: 'object', properties: { call: { anyOf: choices } }, required: ['call'] };
}

/** Adds what the tool does to its schema, which is all that the model reads of it as an answer. */
function describe({ name, description, parameters }: FunctionTool): JsonObject {
  const schema = toArgumentsSchema(parameters) ?? {};
  const texts = [`Arguments of ${name}.`, description, schema.description].filter((text) => typeof text === 'string');
  return { ...schema, description: texts.join('\n\n') };
}

/** Returns a listener that gets the call instead of the answer. Arguments of the only tool are passed on as they arrive. */
export function callForced({ tools }: ForcedTool, listener: ModelListener): ModelListener {
  const id = `toolu_${randomUUID().replaceAll('-', '')}`;
  const only = tools.length === 1 ? tools[0]!.name : undefined;
  let text = '';
  let isStream = false;
  const open = (name: string): void => listener.onToolCall(0, id, name);
  return relayTo(listener, {
    onText(delta) {
      isStream = true;
      const isFirst = text === '';
      text += delta;
      if (only === undefined || delta === '') return;
      if (isFirst) open(only);
      listener.onToolArguments(0, delta);
    },
    onAnswer(answer) {
      const written = isStream ? text : answer.text;
      const call = written === '' ? undefined : toCall(id, only, written);
      if (isStream && only === undefined) {
        if (call) {
          open(call.name);
          listener.onToolArguments(0, call.arguments);
        } else if (written !== '') listener.onText(written);
      }
      listener.onAnswer(call ? withCall(answer, call) : answer);
    },
  });
}

function toCall(id: string, only: string | undefined, text: string): AnswerToolCall | undefined {
  if (only !== undefined) return { id, name: only, arguments: text };
  const chosen = parseObject(text)?.call;
  if (!isJsonObject(chosen) || typeof chosen[TOOL] !== 'string') return undefined;
  return { id, name: chosen[TOOL], arguments: JSON.stringify(chosen[ARGUMENTS] ?? {}) };
}

function withCall(answer: ModelAnswer, call: AnswerToolCall): ModelAnswer {
  const stopReason = answer.stopReason === 'stop' ? 'tool_use' : answer.stopReason;
  return { ...answer, text: '', toolCalls: [call], stopReason };
}

/**
 * The part of JSON Schema that structured outputs support; the vendor answers 400 to other constraints.
 *
 * Source: platform.claude.com/docs/en/build-with-claude/structured-outputs (JSON Schema limitations) and
 * `transformJSONSchema` of `@anthropic-ai/sdk` 1.11.
 */
export const outputSchemaDialect: SchemaDialect = {
  keywords: new Set([
    '$defs',
    '$ref',
    'additionalProperties',
    'allOf',
    'anyOf',
    'description',
    'enum',
    'format',
    'items',
    'minItems',
    'properties',
    'required',
    'title',
    'type',
  ]),
  formats: new Set(['date-time', 'time', 'date', 'duration', 'email', 'hostname', 'uri', 'ipv4', 'ipv6', 'uuid']),
  takes(keyword, value, schema) {
    switch (keyword) {
      case 'minItems':
        return value === 0 || value === 1;
      case 'enum':
        return isLiteralList(value);
      case 'type':
        // Literals imply their type.
        return !isLiteralList(schema.enum);
      default:
        return true;
    }
  },
};

function isLiteralList(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item === null || typeof item !== 'object');
}
