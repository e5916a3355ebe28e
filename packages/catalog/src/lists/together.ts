export const source = 'https://www.together.ai/pricing, by the price list of LiteLLM 1.110.2';
export const reviewed = '2026-11-30';

/** One model a line. */
export const models = `
{"model_id":"BAAI/bge-base-en-v1.5","capabilities":[],"serves":"embeddings","context_window":512,"max_output_tokens":0,"input_cost_per_million_cents":1,"output_cost_per_million_cents":0}
{"model_id":"Qwen/Qwen2.5-7B-Instruct-Turbo","capabilities":["text","tool_use","structured_output"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":30,"output_cost_per_million_cents":30}
{"model_id":"deepseek-ai/DeepSeek-V3","capabilities":["text","tool_use","structured_output"],"context_window":65536,"max_output_tokens":8192,"input_cost_per_million_cents":125,"output_cost_per_million_cents":125}
{"model_id":"openai/gpt-oss-120b","capabilities":["text","tool_use","structured_output"],"context_window":131072,"max_output_tokens":131072,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":60}
{"model_id":"zai-org/GLM-4.6","capabilities":["text","tool_use"],"context_window":202752,"max_output_tokens":202752,"reasons":true,"input_cost_per_million_cents":60,"output_cost_per_million_cents":220}
{"model_id":"MiniMaxAI/MiniMax-M3.1-Flash","capabilities":["text"],"context_window":1048576,"max_output_tokens":1048576,"input_cost_per_million_cents":15,"output_cost_per_million_cents":60,"cache_read_cost_per_million_cents":2}
{"model_id":"Qwen/Qwen3.5-9B","capabilities":["text","vision","tool_use","structured_output"],"context_window":262144,"max_output_tokens":262144,"reasons":true,"input_cost_per_million_cents":17,"output_cost_per_million_cents":25}
{"model_id":"Qwen/Qwen3.6-Plus","capabilities":["text"],"context_window":1000000,"max_output_tokens":1000000,"reasons":true,"input_cost_per_million_cents":50,"output_cost_per_million_cents":300}
{"model_id":"Qwen/Qwen3.7-Max","capabilities":["text"],"context_window":1000000,"max_output_tokens":1000000,"input_cost_per_million_cents":250,"output_cost_per_million_cents":750,"cache_read_cost_per_million_cents":50}
{"model_id":"Qwen/Qwen3.7-Plus","capabilities":["text"],"context_window":1000000,"max_output_tokens":1000000,"input_cost_per_million_cents":32,"output_cost_per_million_cents":128}
{"model_id":"arize-ai/qwen-2-1.5b-instruct","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":10,"output_cost_per_million_cents":10}
{"model_id":"deepseek-ai/DeepSeek-V4.1-Flash","capabilities":["text","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":1}
{"model_id":"deepseek-ai/DeepSeek-V4-Pro-0813","capabilities":["text","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"input_cost_per_million_cents":132,"output_cost_per_million_cents":396,"cache_read_cost_per_million_cents":13}
{"model_id":"meta-models/Muse-Glimmer-30B","capabilities":["text"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":35,"output_cost_per_million_cents":150,"cache_read_cost_per_million_cents":4}
{"model_id":"meta-models/Muse-Spark-Open-816B-A42B","capabilities":["text","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"input_cost_per_million_cents":125,"output_cost_per_million_cents":425,"cache_read_cost_per_million_cents":15}
{"model_id":"moonshotai/Kimi-K3","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"reasons":true,"input_cost_per_million_cents":300,"output_cost_per_million_cents":1500,"cache_read_cost_per_million_cents":30}
{"model_id":"zai-org/GLM-5.2","capabilities":["text","tool_use","structured_output"],"context_window":1048575,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":26}
{"model_id":"zai-org/GLM-5.3","capabilities":["text","tool_use","structured_output"],"context_window":1048575,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":140,"output_cost_per_million_cents":440,"cache_read_cost_per_million_cents":26}
{"model_id":"zai-org/GLM-5.3-Flash","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048575,"max_output_tokens":128000,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":50,"cache_read_cost_per_million_cents":3}
{"model_id":"Qwen/Qwen3.8-Flash","capabilities":["text"],"context_window":1000000,"max_output_tokens":1000000,"input_cost_per_million_cents":15,"output_cost_per_million_cents":47}
{"model_id":"moonshotai/Kimi-K2.5-fp4","capabilities":["text"],"context_window":262144,"max_output_tokens":262144,"input_cost_per_million_cents":50,"output_cost_per_million_cents":280}
{"model_id":"MiniMaxAI/MiniMax-M2.7","capabilities":["text"],"context_window":196608,"max_output_tokens":196608,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":6}
{"model_id":"deepseek-ai/DeepSeek-R1-0528","capabilities":["text"],"context_window":163840,"max_output_tokens":163840,"input_cost_per_million_cents":300,"output_cost_per_million_cents":700}
{"model_id":"mistralai/Ministral-3-14B-Instruct-2512","capabilities":["text"],"context_window":262144,"max_output_tokens":262144,"input_cost_per_million_cents":20,"output_cost_per_million_cents":20}
{"model_id":"mistralai/Mistral-7B-Instruct-v0.3","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":20,"output_cost_per_million_cents":20}
{"model_id":"arcee-ai/trinity-mini","capabilities":["text"],"context_window":128000,"max_output_tokens":128000,"input_cost_per_million_cents":5,"output_cost_per_million_cents":15}
{"model_id":"meta-llama/Llama-3.1-405B-Instruct","capabilities":["text"],"context_window":4096,"max_output_tokens":4096,"input_cost_per_million_cents":350,"output_cost_per_million_cents":350}
{"model_id":"meta-llama/Llama-3.2-1B-Instruct","capabilities":["text"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":6,"output_cost_per_million_cents":6}
{"model_id":"meta-llama/Llama-3.2-3B-Instruct","capabilities":["text"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":6,"output_cost_per_million_cents":6}
{"model_id":"Qwen/Qwen2-1.5B-Instruct","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":2,"output_cost_per_million_cents":2}
{"model_id":"Qwen/Qwen2.5-14B-Instruct","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":80,"output_cost_per_million_cents":80}
{"model_id":"Qwen/Qwen2.5-72B-Instruct","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":120,"output_cost_per_million_cents":120}
{"model_id":"together/Tev1-4B-experimental","capabilities":["text"],"context_window":32768,"max_output_tokens":32768,"input_cost_per_million_cents":5,"output_cost_per_million_cents":0}
{"model_id":"nvidia/NVIDIA-Nemotron-3.5-Super-VL","capabilities":["text","vision","tool_use","structured_output"],"context_window":262144,"max_output_tokens":262144,"reasons":true,"input_cost_per_million_cents":15,"output_cost_per_million_cents":50,"cache_read_cost_per_million_cents":2}
{"model_id":"reflection/Beam-1.0-501B-A23B","capabilities":["text","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"input_cost_per_million_cents":40,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":4}
{"model_id":"deepseek-ai/DeepSeek-V4.1-Flash-1017","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"reasons":true,"input_cost_per_million_cents":30,"output_cost_per_million_cents":120,"cache_read_cost_per_million_cents":1}
{"model_id":"moonshotai/Kimi-K3.1-Pro","capabilities":["text","vision","tool_use","structured_output"],"context_window":1048576,"max_output_tokens":1048576,"reasons":true,"input_cost_per_million_cents":200,"output_cost_per_million_cents":1000,"cache_read_cost_per_million_cents":20}
{"model_id":"ricursive-ai/Ripple-65B-Preview","capabilities":["text"],"context_window":131072,"max_output_tokens":131072,"input_cost_per_million_cents":20,"output_cost_per_million_cents":60,"cache_read_cost_per_million_cents":2}
`;
