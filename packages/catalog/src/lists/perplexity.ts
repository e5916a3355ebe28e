export const source = 'https://docs.perplexity.ai/getting-started/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"sonar","capabilities":["text"],"context_window":128000,"max_output_tokens":128000,"input_cost_per_million_cents":100,"output_cost_per_million_cents":100,"request_cost_per_thousand_cents":500,"deprecated":true,"deprecation_message":"The vendor ended chat completions of this model on 2026-09-27; its Responses API has perplexity/sonar."}
{"model_id":"sonar-pro","capabilities":["text"],"context_window":200000,"max_output_tokens":8000,"input_cost_per_million_cents":300,"output_cost_per_million_cents":1500,"request_cost_per_thousand_cents":600,"deprecated":true,"deprecation_message":"The vendor ended chat completions of this model on 2026-09-27; its Responses API has perplexity/sonar."}
{"model_id":"sonar-reasoning","capabilities":["text"],"context_window":128000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":100,"output_cost_per_million_cents":500,"request_cost_per_thousand_cents":500,"deprecated":true,"deprecation_message":"The vendor ended chat completions of this model on 2026-09-27; its Responses API has perplexity/sonar."}
{"model_id":"sonar-reasoning-pro","capabilities":["text"],"context_window":128000,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":200,"output_cost_per_million_cents":800,"request_cost_per_thousand_cents":600,"deprecated":true,"deprecation_message":"The vendor ended chat completions of this model on 2026-09-27; its Responses API has perplexity/sonar."}
{"model_id":"pplx-embed-v1-0.6b","capabilities":[],"serves":"embeddings","context_window":32768,"max_output_tokens":0,"input_cost_per_million_cents":1,"output_cost_per_million_cents":0}
{"model_id":"pplx-embed-v1-4b","capabilities":[],"serves":"embeddings","context_window":32768,"max_output_tokens":0,"input_cost_per_million_cents":3,"output_cost_per_million_cents":0}
{"model_id":"pplx-embed-context-v1-0.6b","capabilities":[],"serves":"embeddings","context_window":32768,"max_output_tokens":0,"input_cost_per_million_cents":1,"output_cost_per_million_cents":0}
{"model_id":"pplx-embed-context-v1-4b","capabilities":[],"serves":"embeddings","context_window":32768,"max_output_tokens":0,"input_cost_per_million_cents":5,"output_cost_per_million_cents":0}
`;
