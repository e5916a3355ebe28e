import type { FakeProvider } from '@tollgate/testkit';

/** The key that the tests' vendors expect. */
export const VENDOR_KEY = 'k-upstream';

/** Settings by which a system finds one server in the place of OpenAI, Anthropic and Google. */
export function toVendorEnv(
  vendor: Pick<FakeProvider, 'baseUrl' | 'anthropicBaseUrl' | 'googleBaseUrl'>,
): NodeJS.ProcessEnv {
  return {
    MODEL_CATALOG_FILE: new URL('vendor-models.json', import.meta.url).pathname,
    OPENAI_BASE_URL: vendor.baseUrl,
    OPENAI_API_KEY: VENDOR_KEY,
    ANTHROPIC_BASE_URL: vendor.anthropicBaseUrl,
    ANTHROPIC_API_KEY: VENDOR_KEY,
    GEMINI_BASE_URL: vendor.googleBaseUrl,
    GEMINI_API_KEY: VENDOR_KEY,
  };
}
