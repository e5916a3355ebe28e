import type { RequestInput } from '../../model-requests/request-input.js';
import { type GoogleContent, type GoogleFunctionResponse, type GooglePart, vendorKind } from './contents.js';
import type { GoogleGenerateBody } from './generate.js';
import type { GoogleTool } from './tools.js';

type Asked = Pick<GoogleGenerateBody, 'contents'> &
  Partial<Pick<GoogleGenerateBody, 'systemInstruction' | 'tools' | 'generationConfig' | 'serviceTier'>>;

/** Upper bound of the definition of the vendor's own tool for screens, which the model reads and the body does not have. */
const VENDOR_TOOL_TOKENS = 1_024;

/** Converts the input of a body of `:generateContent`. Each result of a function is a message of its own. */
export function inputOfGoogle(body: Asked): RequestInput {
  const input: RequestInput = { messages: [] };
  const system = googleSystemText(body.systemInstruction);
  if (system !== '') input.messages.push(system);
  for (const content of body.contents) addContent(content, input);
  const extras: string[] = [];
  for (const tool of body.tools ?? []) addTool(tool, input, extras);
  const { responseSchema, responseJsonSchema } = body.generationConfig ?? {};
  for (const schema of [responseSchema, responseJsonSchema]) if (schema) extras.push(JSON.stringify(schema));
  if (extras.length > 0) input.extras = extras;
  if (body.serviceTier) input.serviceTier = body.serviceTier;
  return input;
}

/** A system instruction as one text. */
export function googleSystemText(instruction: GoogleGenerateBody['systemInstruction']): string {
  return (instruction?.parts ?? []).map(({ text }) => text).join('\n\n');
}

/**
 * Returns the result of a function as the text that a model reads; `write` writes JSON.
 * Source: `FunctionResponse.response` of `@google/genai`.
 */
export function functionResponseText(
  { response }: GoogleFunctionResponse,
  write: (value: unknown) => string = JSON.stringify,
): string {
  const { output, ...others } = response ?? {};
  if (typeof output === 'string' && Object.keys(others).length === 0) return output;
  return write(response ?? {});
}

function addContent({ parts }: GoogleContent, input: RequestInput): void {
  let text = '';
  let hasOwn = false;
  for (const part of parts ?? []) {
    if (part.functionResponse) {
      input.messages.push(functionResponseText(part.functionResponse));
      for (const { inlineData } of part.functionResponse.parts ?? []) hasOwn = addBlob(inlineData, input) || hasOwn;
      continue;
    }
    text += partText(part, input);
    hasOwn = true;
  }
  if (hasOwn) input.messages.push(text);
}

function partText(part: GooglePart, input: RequestInput): string {
  if (typeof part.thoughtSignature === 'string') addSealed(part.thoughtSignature, input);
  if (part.thought === true) {
    addSealed(part.text ?? '', input);
    return '';
  }
  addBlob(part.inlineData, input);
  if (vendorKind(part) !== undefined) addSealed(JSON.stringify(part), input);
  const { functionCall: call } = part;
  return (part.text ?? '') + (call ? call.name + JSON.stringify(call.args ?? {}) : '');
}

function addBlob(blob: GooglePart['inlineData'], input: RequestInput): boolean {
  if (!blob) return false;
  input.files ??= [];
  input.files.push({ mimeType: blob.mimeType, bytes: Math.ceil((blob.data.length * 3) / 4) });
  return true;
}

/** Parts that only the vendor reads. */
function addSealed(text: string, input: RequestInput): void {
  input.sealedBytes = (input.sealedBytes ?? 0) + Buffer.byteLength(text);
}

function addTool(tool: GoogleTool, input: RequestInput, extras: string[]): void {
  for (const declaration of tool.functionDeclarations ?? []) extras.push(JSON.stringify(declaration));
  if (tool.googleSearch) addProviderTool('search', input);
  if (tool.codeExecution) addProviderTool('code_run', input);
  if (tool.computerUse) input.sealedBytes = (input.sealedBytes ?? 0) + VENDOR_TOOL_TOKENS;
}

function addProviderTool(kind: 'search' | 'code_run', input: RequestInput): void {
  input.providerTools ??= [];
  if (!input.providerTools.includes(kind)) input.providerTools.push(kind);
}
