import type { RequestInput } from '../model-requests/request-input.js';
import type { CompatibleResponsesBody, ResponsesContentPart } from './compatible-responses.js';

type Asked = Pick<CompatibleResponsesBody, 'input' | 'instructions' | 'tools' | 'text'>;

/** Converts the input of a `/v1/responses` body. Calls that follow an assistant's message belong to it. */
export function inputOfCompatibleResponses(body: Asked): RequestInput {
  const input: RequestInput = { messages: [] };
  const { messages } = input;
  if (body.instructions) messages.push(body.instructions);
  if (typeof body.input === 'string') messages.push(body.input);
  else addItems(body.input, input);
  const extras = (body.tools ?? []).map((tool) => JSON.stringify(tool));
  if (body.text?.format?.type === 'json_schema') extras.push(JSON.stringify(body.text.format));
  if (extras.length > 0) input.extras = extras;
  return input;
}

/** Adds the files of tool outputs as a message of their own, after the last output of a turn. */
function addItems(items: Exclude<Asked['input'], string>, input: RequestInput): void {
  const { messages } = input;
  let isAssistantOpen = false;
  let hasFiles = false;
  for (const item of items) {
    if (item.type === 'reasoning') {
      addSealed(item, input);
      continue;
    }
    if (item.type === 'function_call_output') {
      const filesBefore = input.files?.length ?? 0;
      messages.push(toText(item.output, input));
      hasFiles ||= (input.files?.length ?? 0) > filesBefore;
      isAssistantOpen = false;
      continue;
    }
    if (hasFiles) messages.push('');
    hasFiles = false;
    if (item.type === 'function_call') {
      if (isAssistantOpen) messages[messages.length - 1] += item.name + item.arguments;
      else messages.push(item.name + item.arguments);
      isAssistantOpen = true;
    } else {
      messages.push(toText(item.content, input));
      isAssistantOpen = item.role === 'assistant';
    }
  }
  if (hasFiles) messages.push('');
}

/** The vendor that encrypted the reasoning reads it again. Reasoning without encrypted content is ignored. */
function addSealed({ encrypted_content: content }: Record<string, unknown>, input: RequestInput): void {
  if (typeof content === 'string') input.sealedBytes = (input.sealedBytes ?? 0) + Buffer.byteLength(content);
}

function toText(content: string | readonly ResponsesContentPart[], input: RequestInput): string {
  if (typeof content === 'string') return content;
  let text = '';
  for (const part of content) {
    switch (part.type) {
      case 'refusal':
        text += part.refusal;
        break;
      case 'input_image':
        addFile(input, 'image/*', part.image_url);
        break;
      case 'input_file':
        addFile(input, 'application/octet-stream', part.file_data);
        break;
      default:
        text += part.text;
    }
  }
  return text;
}

function addFile(input: RequestInput, mimeType: string, base64: string): void {
  input.files ??= [];
  input.files.push({ mimeType, bytes: Math.ceil((base64.length * 3) / 4) });
}
