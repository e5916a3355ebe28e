export const source = 'https://www.alibabacloud.com/help/en/model-studio/models, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"deepseek-v4-flash","capabilities":["text","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":393216,"reasons":true,"input_cost_per_million_cents":20,"output_cost_per_million_cents":40,"cache_read_cost_per_million_cents":4,"aliases":["deepseek-v4-flash-0731"]}
{"model_id":"deepseek-v4-pro","capabilities":["text","tool_use","structured_output"],"context_window":1000000,"max_output_tokens":393216,"reasons":true,"input_cost_per_million_cents":240,"output_cost_per_million_cents":480,"cache_read_cost_per_million_cents":20}
{"model_id":"glm-5.1","capabilities":["text","tool_use","structured_output"],"context_window":202745,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":26}
{"model_id":"glm-5.2","capabilities":["text","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":28}
{"model_id":"kimi-k2.7-code","capabilities":["text","vision","tool_use","structured_output"],"context_window":229376,"max_output_tokens":16384,"reasons":true,"input_cost_per_million_cents":95,"output_cost_per_million_cents":400,"cache_read_cost_per_million_cents":19}
{"model_id":"qwen-coder","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":16384,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":150}
{"model_id":"qwen-flash","capabilities":["text","tool_use"],"context_window":256000,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":5,"output_cost_per_million_cents":40,"aliases":["qwen-flash-2025-07-28"]}
{"model_id":"qwen-max","capabilities":["text","tool_use"],"context_window":30720,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":160,"output_cost_per_million_cents":640}
{"model_id":"qwen-plus","capabilities":["text","tool_use"],"context_window":129024,"max_output_tokens":16384,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":120}
{"model_id":"qwen-plus-2025-01-25","capabilities":["text","tool_use"],"context_window":129024,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":120}
{"model_id":"qwen-plus-2025-07-28","capabilities":["text","tool_use"],"context_window":256000,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":120}
{"model_id":"qwen-plus-2025-09-11","capabilities":["text","tool_use"],"context_window":256000,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":120}
{"model_id":"qwen-plus-latest","capabilities":["text","tool_use"],"context_window":256000,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":120}
{"model_id":"qwen-turbo-2024-11-01","capabilities":["text","tool_use"],"context_window":1000000,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":5,"output_cost_per_million_cents":20}
{"model_id":"qwen3-coder-flash","capabilities":["text","tool_use"],"context_window":32000,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":150,"aliases":["qwen3-coder-flash-2025-07-28"]}
{"model_id":"qwen3-coder-plus","capabilities":["text","tool_use"],"context_window":32000,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":100,"output_cost_per_million_cents":500,"aliases":["qwen3-coder-plus-2025-07-22"]}
{"model_id":"qwen3-max-preview","capabilities":["text","tool_use"],"context_window":32000,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":120,"output_cost_per_million_cents":600}
{"model_id":"qwen3-max","capabilities":["text","tool_use"],"context_window":32000,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":120,"output_cost_per_million_cents":600,"aliases":["qwen3-max-2026-01-23"]}
{"model_id":"qwen3-next-80b-a3b-instruct","capabilities":["text","tool_use"],"context_window":262144,"max_output_tokens":65536,"input_cost_per_million_cents":15,"output_cost_per_million_cents":120}
{"model_id":"qwen3-next-80b-a3b-thinking","capabilities":["text","tool_use"],"context_window":262144,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":120}
{"model_id":"qwen3-vl-235b-a22b-instruct","capabilities":["text","vision","tool_use"],"context_window":131072,"max_output_tokens":32768,"input_cost_per_million_cents":40,"output_cost_per_million_cents":160}
{"model_id":"qwen3-vl-235b-a22b-thinking","capabilities":["text","vision","tool_use"],"context_window":131072,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":400}
{"model_id":"qwen3-vl-32b-instruct","capabilities":["text","vision","tool_use"],"context_window":131072,"max_output_tokens":32768,"input_cost_per_million_cents":16,"output_cost_per_million_cents":64}
{"model_id":"qwen3-vl-32b-thinking","capabilities":["text","vision","tool_use"],"context_window":131072,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":16,"output_cost_per_million_cents":287}
{"model_id":"qwen3-vl-plus","capabilities":["text","vision","tool_use"],"context_window":32000,"max_output_tokens":32768,"reasons":true,"input_cost_per_million_cents":20,"output_cost_per_million_cents":160}
{"model_id":"qwen3.5-plus","capabilities":["text","vision","tool_use"],"context_window":256000,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":240}
{"model_id":"qwen3.7-max","capabilities":["text","tool_use","structured_output"],"context_window":991808,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":250,"output_cost_per_million_cents":750,"cache_read_cost_per_million_cents":50,"cache_write_cost_per_million_cents":313}
{"model_id":"qwen3.7-plus","capabilities":["text","vision","tool_use","structured_output"],"context_window":256000,"max_output_tokens":65536,"reasons":true,"input_cost_per_million_cents":40,"output_cost_per_million_cents":160}
{"model_id":"qwen3.8-max","capabilities":["text","vision","tool_use","structured_output"],"context_window":991808,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":200,"output_cost_per_million_cents":600,"cache_read_cost_per_million_cents":25}
{"model_id":"qwen3.8-flash","capabilities":["text","vision","tool_use","structured_output"],"context_window":991808,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":47,"cache_read_cost_per_million_cents":2,"cache_write_cost_per_million_cents":20}
{"model_id":"qwen3.8-omni-flash","capabilities":["text","vision","audio","tool_use","structured_output"],"context_window":991808,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":47,"cache_read_cost_per_million_cents":2}
{"model_id":"qwq-plus","capabilities":["text","tool_use"],"context_window":98304,"max_output_tokens":8192,"reasons":true,"input_cost_per_million_cents":80,"output_cost_per_million_cents":240}
{"model_id":"qwen-image-2.0","capabilities":["image_generation"],"context_window":32768,"max_output_tokens":0,"price_per_image_cents":4}
{"model_id":"qwen-image-2.0-pro","capabilities":["image_generation"],"context_window":32768,"max_output_tokens":0,"price_per_image_cents":8}
{"model_id":"qwen-image-3.0","capabilities":["image_generation"],"context_window":32768,"max_output_tokens":0,"price_per_image_cents":3}
{"model_id":"qwen3-tts-flash","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":1000,"output_cost_per_million_cents":0}
{"model_id":"qwen-audio-3.1-tts-flash","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"input_cost_per_million_cents":23,"output_cost_per_million_cents":187}
{"model_id":"qwen-audio-3.1-tts-plus","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":3000,"output_cost_per_million_cents":0}
{"model_id":"qwen-audio-3.0-tts-plus","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":2000,"output_cost_per_million_cents":0}
{"model_id":"qwen-audio-3.0-tts-flash","capabilities":[],"serves":"speech","context_window":32768,"max_output_tokens":0,"metered_in":"characters","input_cost_per_million_cents":1500,"output_cost_per_million_cents":0}
`;
