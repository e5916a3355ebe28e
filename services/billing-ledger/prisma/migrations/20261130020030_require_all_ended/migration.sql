-- Fails a settling statement that could not end all of its holds, which undoes it in one round trip. The code is one of those that
-- the SQL standard leaves to implementations, and neither PostgreSQL's nor an extension's.
CREATE FUNCTION require_all_ended(is_ended boolean) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF is_ended THEN RETURN true; END IF;
  RAISE EXCEPTION 'a hold of the batch has ended, or has changed since it was read' USING ERRCODE = 'TG001';
END
$$;
