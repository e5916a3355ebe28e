export const source = 'https://platform.moonshot.ai/docs/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"kimi-k2.7-code","capabilities":["text","vision","tool_use","structured_output"],"context_window":262144,"max_output_tokens":262144,"reasons":true,"input_cost_per_million_cents":95,"output_cost_per_million_cents":400,"cache_read_cost_per_million_cents":19}
{"model_id":"kimi-k2.6","capabilities":["text","vision","tool_use","structured_output"],"context_window":262144,"max_output_tokens":262144,"reasons":true,"input_cost_per_million_cents":95,"output_cost_per_million_cents":400,"cache_read_cost_per_million_cents":16}
{"model_id":"kimi-k3.1-pro","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"reasons":true,"input_cost_per_million_cents":200,"output_cost_per_million_cents":1000,"cache_read_cost_per_million_cents":20,"cache_write_cost_per_million_cents":200,"cache_write_1h_cost_per_million_cents":400}
{"model_id":"kimi-k3.1-pro-highspeed","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"reasons":true,"input_cost_per_million_cents":400,"output_cost_per_million_cents":2000,"cache_read_cost_per_million_cents":20,"cache_write_cost_per_million_cents":400,"cache_write_1h_cost_per_million_cents":800}
{"model_id":"kimi-k3","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"reasons":true,"input_cost_per_million_cents":300,"output_cost_per_million_cents":1500,"cache_read_cost_per_million_cents":30,"cache_write_cost_per_million_cents":300,"cache_write_1h_cost_per_million_cents":600}
`;
