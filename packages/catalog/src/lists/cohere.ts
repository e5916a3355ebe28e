export const source = 'https://cohere.com/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"embed-v4.0","capabilities":[],"serves":"embeddings","context_window":128000,"max_output_tokens":0,"input_cost_per_million_cents":12,"output_cost_per_million_cents":0}
{"model_id":"embed-v5.0-pro","capabilities":[],"serves":"embeddings","context_window":128000,"max_output_tokens":0,"input_cost_per_million_cents":12,"output_cost_per_million_cents":0}
{"model_id":"embed-v5.0-fast","capabilities":[],"serves":"embeddings","context_window":128000,"max_output_tokens":0,"input_cost_per_million_cents":8,"output_cost_per_million_cents":0}
{"model_id":"command-a-03-2025","capabilities":["text","tool_use"],"context_window":256000,"max_output_tokens":8000,"input_cost_per_million_cents":250,"output_cost_per_million_cents":1000}
{"model_id":"c4ai-aya-expanse-32b","capabilities":["text"],"context_window":128000,"max_output_tokens":4000,"input_cost_per_million_cents":50,"output_cost_per_million_cents":150}
{"model_id":"command-r-08-2024","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":4096,"input_cost_per_million_cents":15,"output_cost_per_million_cents":60}
{"model_id":"command-r-plus-08-2024","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":4096,"input_cost_per_million_cents":250,"output_cost_per_million_cents":1000}
{"model_id":"command-r7b-12-2024","capabilities":["text","tool_use"],"context_window":128000,"max_output_tokens":4096,"input_cost_per_million_cents":4,"output_cost_per_million_cents":15}
{"model_id":"embed-english-light-v3.0","capabilities":[],"serves":"embeddings","context_window":512,"max_output_tokens":0,"input_cost_per_million_cents":10,"output_cost_per_million_cents":0}
{"model_id":"embed-english-v3.0","capabilities":[],"serves":"embeddings","context_window":512,"max_output_tokens":0,"input_cost_per_million_cents":10,"output_cost_per_million_cents":0}
{"model_id":"embed-multilingual-v3.0","capabilities":[],"serves":"embeddings","context_window":512,"max_output_tokens":0,"input_cost_per_million_cents":10,"output_cost_per_million_cents":0}
{"model_id":"embed-multilingual-light-v3.0","capabilities":[],"serves":"embeddings","context_window":512,"max_output_tokens":0,"input_cost_per_million_cents":10000,"output_cost_per_million_cents":0}
`;
