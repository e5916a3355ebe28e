-- What customers pay per million tokens of input that the provider read from its cache. Null: the input price.
ALTER TABLE tier_models ADD COLUMN cached_input_price_per_million_cents bigint;
