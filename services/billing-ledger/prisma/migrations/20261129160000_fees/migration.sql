-- What the provider charges for uses of its own tools, without a markup. Null: nothing.
ALTER TABLE holds ADD COLUMN fee_microcents bigint;

-- What customers pay on top of such fees, in percent. Null: nothing.
ALTER TABLE tier_models ADD COLUMN fee_markup_percentage double precision;
