-- A program that asks to sign an owner in by a code, until it gets its tokens or the code expires. Not a row of
-- device_sign_ins: the previous version would offer it to customers.
CREATE TABLE "owner_device_sign_ins" (
    "device_code_hash" BYTEA NOT NULL,
    "user_code" TEXT NOT NULL,
    "client_name" TEXT NOT NULL,
    "address" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "user_id" UUID,
    "interval_seconds" INTEGER NOT NULL,
    "polled_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "owner_device_sign_ins_pkey" PRIMARY KEY ("device_code_hash")
);

CREATE UNIQUE INDEX "owner_device_sign_ins_user_code_key" ON "owner_device_sign_ins"("user_code");
CREATE INDEX "owner_device_sign_ins_user_id_idx" ON "owner_device_sign_ins"("user_id");
CREATE INDEX "owner_device_sign_ins_expires_at_idx" ON "owner_device_sign_ins"("expires_at");

ALTER TABLE "owner_device_sign_ins" ADD CONSTRAINT "owner_device_sign_ins_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Null: the session of a browser, or of a sign-in with a password.
ALTER TABLE "sessions" ADD COLUMN "client_name" TEXT;
ALTER TABLE "sessions" ADD COLUMN "address" TEXT;
