import { type GoogleGenerateBody, listGoogleFunctions } from '@tollgate/api/compatible';
import type { Capability } from '../dialect.js';
import { fileCapability } from '../native/native-dialect.js';

const JSON_TYPE = 'application/json';

/** Returns the capabilities that the body needs of its model. */
export function findCapabilities({ contents, tools, generationConfig: config }: GoogleGenerateBody): Capability[] {
  const needed = new Set<Capability>();
  for (const { parts } of contents) {
    for (const { inlineData, functionResponse } of parts ?? []) {
      for (const blob of [inlineData, ...(functionResponse?.parts ?? []).map((part) => part.inlineData)]) {
        if (blob) needed.add(fileCapability(blob.mimeType));
      }
    }
  }
  if (listGoogleFunctions(tools).length > 0 || tools?.some(({ computerUse }) => computerUse)) needed.add('tool_use');
  if (tools?.some(({ googleSearch }) => googleSearch)) needed.add('web_search');
  if (tools?.some(({ codeExecution }) => codeExecution)) needed.add('code_execution');
  if (config?.responseSchema || config?.responseJsonSchema || config?.responseMimeType === JSON_TYPE) {
    needed.add('structured_output');
  }
  return [...needed];
}
