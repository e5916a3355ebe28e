import { isObject, type Json, listObjects, readImageType, VendorRefusal } from './vendor-refusal.js';

const ID = '^[a-zA-Z0-9_-]+$';
const imageTypes = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp']);
/** Models that continue an assistant's message. */
const withPrefill = /^claude-(3|(opus|sonnet|haiku)-4(-[015])?(-\d{8})?$)/;
const claude = /^claude-/;

interface Turn {
  /** Of its first message in the body. */
  place: number;
  role: unknown;
  blocks: Json[];
}

/** Anthropic's rules of the conversation. Sources as in `checkMessages`. */
export function checkTurns(body: Json): void {
  const messages = listObjects(body.messages);
  if (messages.length === 0) refuse('messages: at least one message is required');
  if (messages[0]!.role !== 'user') refuse('messages: first message must use the "user" role');
  for (const [place, message] of messages.entries()) checkMessage(message, place, place === messages.length - 1);
  const turns = mergeTurns(messages);
  checkCalls(turns);
  checkLast(turns.at(-1)!, body);
  checkThoughts(turns, body);
  const usesTools = turns.some(({ blocks }) =>
    blocks.some(({ type }) => type === 'tool_use' || type === 'tool_result'),
  );
  if (usesTools && listObjects(body.tools).length === 0) {
    refuse('Requests which include `tool_use` or `tool_result` blocks must define tools.');
  }
}

function refuse(message: string): never {
  throw new VendorRefusal(message);
}

/** Consecutive messages of one role are one turn. */
function mergeTurns(messages: readonly Json[]): Turn[] {
  const turns: Turn[] = [];
  for (const [place, message] of messages.entries()) {
    const blocks = toBlocks(message.content);
    const last = turns.at(-1);
    if (last && last.role === message.role) last.blocks.push(...blocks);
    else turns.push({ place, role: message.role, blocks });
  }
  return turns;
}

function toBlocks(content: unknown): Json[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : [...listObjects(content)];
}

function checkMessage({ role, content }: Json, place: number, isLast: boolean): void {
  if (role !== 'user' && role !== 'assistant') refuse(`messages.${place}.role: Input should be 'user' or 'assistant'`);
  const isEmpty = content === '' || (Array.isArray(content) && content.length === 0);
  if (isEmpty && !(isLast && role === 'assistant')) {
    refuse(
      `messages.${place}: all messages must have non-empty content except for the optional final assistant message`,
    );
  }
  if (typeof content !== 'string' && !Array.isArray(content)) refuse(`messages.${place}.content: Field required`);
  if (typeof content === 'string' && content !== '' && content.trim() === '') {
    refuse('messages: text content blocks must contain non-whitespace text');
  }
  for (const [at, block] of listObjects(content).entries()) checkBlock(block, `messages.${place}.content.${at}`);
}

function checkBlock(block: Json, at: string): void {
  switch (block.type) {
    case 'text':
      if (block.text === '') refuse('messages: text content blocks must be non-empty');
      if (String(block.text).trim() === '') refuse('messages: text content blocks must contain non-whitespace text');
      break;
    case 'tool_use':
      if (!new RegExp(ID).test(String(block.id))) refuse(`${at}.tool_use.id: String should match pattern '${ID}'`);
      if (!isObject(block.input)) refuse(`${at}.tool_use.input: Input should be a valid dictionary`);
      if (!/^[a-zA-Z0-9_-]{1,200}$/.test(String(block.name))) {
        refuse(`${at}.tool_use.name: String should match pattern '^[a-zA-Z0-9_-]{1,200}$'`);
      }
      break;
    case 'tool_result':
      for (const [place, inner] of listObjects(block.content).entries())
        checkBlock(inner, `${at}.tool_result.content.${place}`);
      break;
    case 'image':
      checkImage(block.source, `${at}.image.source`);
      break;
    case 'thinking':
      if (typeof block.signature !== 'string') refuse(`${at}.thinking.signature: Field required`);
      break;
    default:
  }
}

function checkImage(source: unknown, at: string): void {
  if (!isObject(source) || source.type !== 'base64') return;
  const { media_type: named, data } = source;
  if (!imageTypes.has(String(named))) {
    refuse(`${at}.base64.media_type: Input should be 'image/jpeg', 'image/png', 'image/gif' or 'image/webp'`);
  }
  const real = readImageType(String(data));
  if (real === undefined) refuse('Could not process image');
  if (real === named) return;
  const text = `The image was specified using the ${String(named)} media type, but the image appears to be a ${real} image`;
  refuse(`${at}.base64: ${text}`);
}

/** Results follow their calls at once, before everything else in their turn. */
function checkCalls(turns: readonly Turn[]): void {
  for (const [at, { place, role, blocks }] of turns.entries()) {
    const ids = role === 'assistant' ? blocks.filter(isCall).map(({ id }) => id) : [];
    const next = turns[at + 1]?.blocks ?? [];
    const end = next.findIndex((block) => !isResult(block));
    const first = (end === -1 ? next : next.slice(0, end)).map(({ tool_use_id: id }) => id);
    const missing = ids.filter((id) => !first.includes(id));
    if (missing.length > 0) {
      const text = '`tool_use` ids were found without `tool_result` blocks immediately after';
      const rule = 'Each `tool_use` block must have a corresponding `tool_result` block in the next message.';
      refuse(`messages.${place}: ${text}: ${missing.join(', ')}. ${rule}`);
    }
    if (role !== 'user') continue;
    const before = (turns[at - 1]?.blocks ?? []).filter(isCall).map(({ id }) => id);
    const stray = blocks.find((block) => isResult(block) && !before.includes(block.tool_use_id));
    if (stray === undefined) continue;
    const text = `unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${String(stray.tool_use_id)}`;
    const rule = 'Each `tool_result` block must have a corresponding `tool_use` block in the previous message.';
    refuse(`messages.${place}.content.0: ${text}. ${rule}`);
  }
}

function isCall({ type }: Json): boolean {
  return type === 'tool_use';
}

function isResult({ type }: Json): boolean {
  return type === 'tool_result';
}

/** An assistant's last message is continued by the older models; a turn that the vendor paused is by all. */
function checkLast({ role, blocks }: Turn, body: Json): void {
  if (role !== 'assistant') return;
  const last = blocks.at(-1);
  if (last?.type === 'server_tool_use' || String(last?.type).endsWith('_tool_result')) return;
  const isThinking = isObject(body.thinking) && body.thinking.type !== 'disabled';
  if (claude.test(String(body.model)) && (isThinking || !withPrefill.test(String(body.model)))) {
    refuse('This model does not support assistant message prefill. The conversation must end with a user message.');
  }
  if (last?.type === 'text' && /\s$/.test(String(last.text))) {
    refuse('messages: final assistant content cannot end with trailing whitespace');
  }
}

/** With a thinking budget, the last assistant's turn that calls tools starts with its thinking. */
function checkThoughts(turns: readonly Turn[], { thinking }: Json): void {
  if (!isObject(thinking) || thinking.type !== 'enabled') return;
  const last = turns.findLast(({ role }) => role === 'assistant');
  if (!last?.blocks.some(isCall)) return;
  const first = last.blocks[0]!;
  if (first.type === 'thinking' || first.type === 'redacted_thinking') return;
  const rule = 'When `thinking` is enabled, a final `assistant` message must start with a thinking block';
  const text = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${String(first.type)}\``;
  refuse(
    `messages.${last.place}.content.0.type: ${text}. ${rule} (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  );
}
