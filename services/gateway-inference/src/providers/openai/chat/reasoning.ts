import { filterObjects, isObject, textOrUndefined } from '../../convert/answer-reading.js';

/** The members of a message or a delta in which servers send reasoning. */
export interface ReasoningMembers {
  content?: unknown;
  reasoning_content?: unknown;
  reasoning?: unknown;
  reasoning_text?: unknown;
  thinking?: unknown;
  reasoning_details?: unknown;
}

/**
 * Returns the reasoning of a message or a delta, which counts as output. Servers that send the same reasoning in several
 * members send it in full in each, so the longest member counts.
 *
 * Source: `reasoning_content` of DeepSeek, vLLM, SGLang and llama.cpp; `reasoning` of OpenRouter, Groq, Ollama and newer vLLM;
 * `reasoning_details` of OpenRouter; `reasoning_text` of GitHub Models; parts of type `thinking` of Mistral.
 */
export function reasoningText(message: ReasoningMembers): string {
  const { content, reasoning_details: details } = message;
  const texts = [
    ...[message.reasoning_content, message.reasoning, message.reasoning_text, message.thinking].map(textIn),
    textIn(details),
    filterObjects(content)
      .filter(({ type }) => type === 'thinking' || type === 'reasoning')
      .map(textIn)
      .join(''),
  ];
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest));
}

/** Text as a string, as an object with a text, or as a list of either. */
function textIn(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textOfPart).join('');
  return textOfPart(value);
}

function textOfPart(part: unknown): string {
  if (!isObject(part)) return textOrUndefined(part) ?? '';
  const { thinking } = part;
  if (Array.isArray(thinking)) return filterObjects(thinking).map(textOfPart).join('');
  return (
    textOrUndefined(part.text) ??
    textOrUndefined(part.summary) ??
    textOrUndefined(thinking) ??
    textOrUndefined(part.content) ??
    ''
  );
}
