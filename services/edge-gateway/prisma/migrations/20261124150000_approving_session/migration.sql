-- The session in which the owner decided. Without one that is in force, the device gets no tokens. Null: pending, or decided
-- by the previous version. Not a foreign key: a session that was deleted is not in force.
ALTER TABLE "owner_device_sign_ins" ADD COLUMN "session_id" UUID;
