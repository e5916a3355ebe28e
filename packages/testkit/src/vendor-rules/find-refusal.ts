import { checkChat } from './chat-rules.js';
import { checkConverse } from './converse-rules.js';
import { checkGenerate } from './generate-rules.js';
import { checkMessages } from './messages-rules.js';
import { checkResponses } from './responses-rules.js';
import { type Json, VendorRefusal } from './vendor-refusal.js';

/** The vendor's answer to a request that it does not accept. */
export interface VendorAnswer {
  status: number;
  body: Json;
}

interface VendorRules {
  path: RegExp;
  check(body: Json): void;
  toBody(refusal: VendorRefusal): Json;
}

const vendors: readonly VendorRules[] = [
  { path: /\/chat\/completions$/, check: checkChat, toBody: toOpenAiBody },
  { path: /\/responses$/, check: checkResponses, toBody: toOpenAiBody },
  { path: /\/messages$/, check: checkMessages, toBody: toAnthropicBody },
  { path: /\/(converse|converse-stream)$/, check: checkConverse, toBody: toAmazonBody },
  { path: /:(generateContent|streamGenerateContent)$/, check: checkGenerate, toBody: toGoogleBody },
];

/**
 * Returns what the real vendor would answer to a request that it refuses: its error, in its form. Undefined for a request that
 * it accepts, and for paths without rules. `path` may have a query; its end names the interface.
 */
export function findVendorRefusal(path: string, body: unknown): VendorAnswer | undefined {
  const [plain = ''] = path.split('?');
  const rules = vendors.find((vendor) => vendor.path.test(plain));
  if (!rules) return undefined;
  try {
    rules.check(body as Json);
    return undefined;
  } catch (error) {
    if (error instanceof VendorRefusal) return { status: 400, body: rules.toBody(error) };
    throw error;
  }
}

function toOpenAiBody({ message, param, code }: VendorRefusal): Json {
  return { error: { message, type: 'invalid_request_error', param, code } };
}

function toAnthropicBody({ message }: VendorRefusal): Json {
  return { type: 'error', error: { type: 'invalid_request_error', message }, request_id: 'req_fake' };
}

function toGoogleBody({ message }: VendorRefusal): Json {
  return { error: { code: 400, message, status: 'INVALID_ARGUMENT' } };
}

function toAmazonBody({ message }: VendorRefusal): Json {
  return { message };
}
