-- Part of input_tokens that stands for the fees of tools that the provider ran: charged, not counted as tokens. Null: none.
ALTER TABLE holds ADD COLUMN tool_fee_tokens bigint;
