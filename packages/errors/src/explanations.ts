import type { ErrorCode } from './catalog.js';

/** Explains an error code. Plain text. */
export interface Explanation {
  /** One sentence. */
  meaning: string;
  /** The usual ones. */
  causes: readonly string[];
  remedies: readonly string[];
}

/** One entry per code; `/docs/errors/{code}` shows it, and answers with the code link to that page. */
export const explanations: Readonly<Record<ErrorCode, Explanation>> = {
  NOT_FOUND: {
    meaning: 'The resource does not exist, or belongs to another project or customer.',
    causes: [
      'A misspelled id or path.',
      'The resource was deleted, or its retention time has ended.',
      'The credential belongs to another project. Tollgate answers as if the resource did not exist.',
    ],
    remedies: ['Compare the id with the list of its resource.', 'Check which project the key or token belongs to.'],
  },
  VALIDATION_ERROR: {
    meaning: 'A field of the request has the wrong type or value.',
    causes: ['A missing, unknown or misspelled field.', 'A value outside its limits.'],
    remedies: ['Read `message`: it names the field and the rule.', 'Compare the body with the schema in /docs.'],
  },
  INVALID_INPUT: {
    meaning: 'The parameters are well formed, but do not fit together or do not fit the model.',
    causes: [
      'Two parameters exclude each other.',
      'The prompt is larger than the context window of the model.',
      'A parameter that the model or its provider does not accept.',
    ],
    remedies: ['Read `message`: it says which parameter to change.', 'GET /models lists what each model can do.'],
  },
  UNAUTHORIZED: {
    meaning: 'The request has no credential, or a credential that is unknown, expired or revoked.',
    causes: [
      'The `Authorization` header is missing or has another form than `Bearer <token>`.',
      'A customer token has expired.',
      'The key was deleted or rotated.',
    ],
    remedies: ['Issue a new customer token, or sign in again.', 'Check the key under Keys in the console.'],
  },
  FORBIDDEN: {
    meaning: 'The credential is valid and may not do this.',
    causes: [
      'A publishable key or a customer token calls an endpoint for secret keys.',
      'The member has a role without this permission.',
      'The customer is blocked.',
      "The model is not part of the customer's tier.",
    ],
    remedies: ['Use a secret key from your backend.', 'Ask an owner of the project for a role with this permission.'],
  },
  CONFLICT: {
    meaning: 'The request does not fit the present state.',
    causes: [
      'A resource with the same unique value exists.',
      'An `Idempotency-Key` was used before with another body, or its first request is still running.',
      'The resource changed since it was read.',
    ],
    remedies: ['Read the resource again, then decide.', 'Use a new `Idempotency-Key` for a new request.'],
  },
  GONE: {
    meaning: 'The resource existed and was removed for good.',
    causes: ['An image that was not pinned has expired.'],
    remedies: ['Create it again. Pin images that must stay.'],
  },
  PAYLOAD_TOO_LARGE: {
    meaning: 'The body, a file or a value is larger than the limit.',
    causes: ['Large files inside the body.', 'A list with too many entries.'],
    remedies: ['Read `message`: it names the limit.', 'Send less per request, or link to images instead.'],
  },
  RATE_LIMIT: {
    meaning: 'The credential has sent more requests than its limit per minute allows.',
    causes: ['Too many requests in a short time.', 'Several processes share one key.'],
    remedies: [
      'Wait for the number of seconds in `Retry-After`, then retry with growing pauses.',
      "Raise the limit of the customer's tier.",
    ],
  },
  PAYMENT_REQUIRED: {
    meaning: 'A billing limit refused the request. No other code names the limit more exactly.',
    causes: ['A payment method is missing.', 'The card was declined.'],
    remedies: ['Read `message`.', 'Add or change the payment method.'],
  },
  METHOD_NOT_ALLOWED: {
    meaning: 'The path exists and does not have this HTTP method.',
    causes: ['GET instead of POST, or the reverse.'],
    remedies: ['Use a method that the `Allow` header names.'],
  },
  INTERNAL_ERROR: {
    meaning: 'Tollgate failed in a way that it did not expect.',
    causes: ['A defect. The log of the service has the reason under the same `request_id`.'],
    remedies: [
      'Retry with growing pauses; a request that was charged is not charged again under the same `Idempotency-Key`.',
      'Report it with its `request_id` if it stays.',
    ],
  },
  SERVICE_UNAVAILABLE: {
    meaning: 'Tollgate, or a part that this request needs, cannot answer at the moment.',
    causes: [
      'A restart, an upgrade or a failover of the database.',
      'Too many requests of one account are waiting.',
      "For customers: a limit on the owner's side. The owner sees its own code in the request record.",
    ],
    remedies: ['Wait for the number of seconds in `Retry-After`, then retry.', 'Read /status.'],
  },
  MODEL_CAPABILITY_UNSUPPORTED: {
    meaning: 'The model lacks a capability that the request needs.',
    causes: ['Tools, images, structured output or embeddings with a model that does not have them.'],
    remedies: ['GET /models?capability=… lists the models that do.'],
  },
  PROVIDER_ERROR: {
    meaning: 'The model provider answered with an error.',
    causes: ['The provider is overloaded or has a fault.', 'The provider refuses the content or a parameter.'],
    remedies: [
      'Read `detail`: it has the words of the provider. `provider_request_id` is its id of the request.',
      'Retry if `retryable` is true.',
      'Add a second route for the model, so that another provider answers.',
    ],
  },
  PROVIDER_TIMEOUT: {
    meaning: 'The model provider did not answer in time.',
    causes: ['A slow model or a long answer without streaming.', 'The provider is overloaded.'],
    remedies: [
      'Stream the answer.',
      'Retry with growing pauses.',
      'Raise `PROVIDER_RESPONSE_TIMEOUT` of the installation.',
    ],
  },
  RELAY_TIMEOUT: {
    meaning: "Tollgate's own deadline for the request has passed.",
    causes: ['The request waited for a slot, a tool or a model for too long.'],
    remedies: ['Retry.', 'Use a background response or a batch for long work.'],
  },
  UPSTREAM_PAYMENT_REQUIRED: {
    meaning: 'The model provider refused the request because of its own bill. It is no billing refusal of Tollgate.',
    causes: ["The installation's account at the provider has no credit or has reached its quota."],
    remedies: ['Add credit at the provider, or raise its quota.', 'Add a second route for the model.'],
  },
  INVALID_OUTPUT: {
    meaning: 'A structured stream ended without a value that fits the schema.',
    causes: ['The output limit cut the answer.', 'The model did not follow the schema.'],
    remedies: ['Raise `max_output_tokens`.', 'Simplify the schema, or use a model with strict structured output.'],
  },

  SUBSCRIPTION_INACTIVE: {
    meaning: 'The customer has no subscription that allows requests.',
    causes: [
      'The customer has not subscribed yet, or the subscription was canceled.',
      'A renewal was not paid.',
      'A paid tier without a subscription at the payment processor.',
    ],
    remedies: ['Start a checkout for the customer, or open the billing portal to pay the open invoice.'],
  },
  TIER_ALLOWANCE_EXHAUSTED: {
    meaning: "The spend allowance of the customer's tier cannot cover the request in this billing window.",
    causes: ['The allowance is used.', 'Requests that are running hold the rest of it.'],
    remedies: ['Wait for the next window.', 'Change to a larger tier, or allow overage from the wallet.'],
  },
  WALLET_EMPTY: {
    meaning: "The customer's prepaid wallet cannot cover the request.",
    causes: ['The balance is used.', 'Requests that are running hold the rest of it.'],
    remedies: ['Read the balance. Top up if balance minus reserved is zero or less; otherwise retry later.'],
  },
  PROVIDER_ACCOUNT_UNFUNDED: {
    meaning: 'The prepaid balance of the project owner cannot cover the request. Customers see a 503 instead.',
    causes: ['The balance of the owner account is used or held by running requests.'],
    remedies: ['Top up the owner account, or turn on auto top-up under Billing in the console.'],
  },
  FREE_CREDIT_DAILY_CAP: {
    meaning: 'The free credit that the owner account may use per day is used. Customers see a 503 instead.',
    causes: ['More requests than the free credit of a day covers.'],
    remedies: ['Wait for the next day (UTC), or top up the owner account.'],
  },
  ACCOUNT_QUOTA_EXCEEDED: {
    meaning: 'The usage quota of the owner account is exhausted. Customers see a 503 instead.',
    causes: ['More requests than the quota of the account allows.'],
    remedies: ['Wait for the next window of the quota, or ask the operator for a higher quota.'],
  },
  API_KEY_SPEND_LIMIT_REACHED: {
    meaning: 'The lifetime spend limit of this secret key is reached. Customers see a 503 instead.',
    causes: ['The key has spent its limit, or running requests hold the rest of it.'],
    remedies: ['Raise the limit of the key, or use another key.'],
  },

  HOOK_FAILED: {
    meaning: 'A tool hook that fails closed did not allow the tool call, or could not be asked.',
    causes: ["The hook's endpoint is unavailable, slow, or answers with an error."],
    remedies: ['Test the hook in the console: its deliveries show status, body and latency.'],
  },
  TOOL_UNHANDLED: {
    meaning: 'The model called a tool that nothing executes.',
    causes: ['No hook, MCP server or client handles the tool.'],
    remedies: ['Add a hook of type `tool_execute`, or set the tool failure policy of the run.'],
  },
  TOOL_NOT_MOCKED: {
    meaning: 'A test run called a tool that has no mock.',
    causes: ['A dry run of an agent, with a tool that the mocks do not name.'],
    remedies: ['Add a mock for the tool and its arguments.'],
  },
  TOOL_LOOP_LIMIT: {
    meaning: 'The turn needed more model calls or tool calls than one turn may have.',
    causes: ['The model calls tools again and again.'],
    remedies: ['Make results of tools clearer, offer fewer tools, or use an agent run with `max_steps`.'],
  },
  TOOL_WAIT_TIMEOUT: {
    meaning: 'The run waited for results of tools, and they did not arrive in time.',
    causes: ['The client that executes the tools has stopped, or sends its results to another run.'],
    remedies: ['Send the results before the time limit of the step.', 'Start the run again.'],
  },
  POINTER_NOT_FOUND: {
    meaning: 'A JSON pointer of a plan leads to nothing in the value that it reads.',
    causes: ['The earlier node has another output than the plan expects.'],
    remedies: ['Read the outputs of the earlier node in the run, and correct the pointer.'],
  },
  AGENT_LIMIT_REACHED: {
    meaning: 'An agent stopped at one of its limits.',
    causes: ['`max_steps` or `max_duration_sec` is reached.'],
    remedies: ['Raise the limit, or give the agent a smaller task.'],
  },
  WEB_SEARCH_UNAVAILABLE: {
    meaning: 'This installation has no search backend.',
    causes: ['`WEB_SEARCH_BACKEND` is not set.'],
    remedies: ['Ask the operator to configure one, or leave the tool out.'],
  },
  WEB_SEARCH_FAILED: {
    meaning: 'The search backend answered with an error.',
    causes: ['The backend is unavailable, or its key is wrong.'],
    remedies: ['Retry.', 'Check the log of gateway-inference for the words of the backend.'],
  },
  WEB_FETCH_UNAVAILABLE: {
    meaning: 'This installation does not read web pages.',
    causes: ['`WEB_FETCH` is 0.'],
    remedies: ['Ask the operator to allow it, or leave the tool out.'],
  },
  WEB_FETCH_FAILED: {
    meaning: 'A web page could not be read.',
    causes: [
      'The page does not exist, is too large, or is no text.',
      'The address is private: Tollgate reads public addresses only.',
    ],
    remedies: ['Open the URL in a browser.', 'Use another page.'],
  },

  invalid_source: {
    meaning: 'The source of a plugin or skill has a form that the compiler does not read.',
    causes: ['A URL outside of GitHub, or a malformed one.'],
    remedies: ['Use a GitHub URL, or send `files`.'],
  },
  source_or_files_required: {
    meaning: 'A compile request needs a source or files.',
    causes: ['Both are missing.'],
    remedies: ['Send exactly one of `source` and `files`.'],
  },
  plugin_not_found: {
    meaning: 'The source has no plugin.',
    causes: ['A wrong path or branch.', 'The repository is private.'],
    remedies: ['Check that `.claude-plugin/plugin.json` is where the source points to.'],
  },
  skill_not_found: {
    meaning: 'The source has no skill.',
    causes: ['A wrong path or branch.', 'The repository is private.'],
    remedies: ['Check that `SKILL.md` is where the source points to.'],
  },
  parse_failed: {
    meaning: 'The files of a plugin or skill could not be read.',
    causes: ['Broken YAML or JSON.', 'A required field is missing.'],
    remedies: ['Read `message`: it names the file and the line.'],
  },
  generation_failed: {
    meaning: 'The files were read, and no workflow could be made from them.',
    causes: ['A part of the plugin has no counterpart in a workflow.', 'The model produced no valid workflow.'],
    remedies: ['Read `message`.', 'Retry, or simplify the plugin.'],
  },
  rate_limited: {
    meaning: 'GitHub refused to send more files for now.',
    causes: ['Too many compile requests in a short time.'],
    remedies: ['Wait for the number of seconds in `Retry-After`, or send `files`.'],
  },
};
