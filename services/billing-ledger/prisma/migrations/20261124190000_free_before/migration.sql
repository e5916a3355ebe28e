-- Funds that each limit of a hold had free before it, as `account_ids` lists them: for reports. NULL: the limit was not enforced.
ALTER TABLE holds ADD COLUMN free_before bigint[];
