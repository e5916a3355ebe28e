-- name: insert_device :execrows
INSERT INTO device_sign_ins (device_code_hash, user_code, project_id, interval_seconds, expires_at)
VALUES (:device_code_hash, :user_code, :project_id, :interval_seconds, now() + :ttl_ms * interval '1 ms')
ON CONFLICT (user_code) DO NOTHING;

-- name: insert_device_of_owner :execrows
INSERT INTO owner_device_sign_ins (device_code_hash, user_code, client_name, address, interval_seconds, expires_at)
VALUES (:device_code_hash, :user_code, :client_name, :address, :interval_seconds, now() + :ttl_ms * interval '1 ms')
ON CONFLICT (user_code) DO NOTHING;

-- name: insert_oauth_state :exec
INSERT INTO oauth_sign_ins (state_hash, provider, code_verifier, nonce, return_to, handoff_nonce, device_code_hash, expires_at)
VALUES (:state_hash, :provider, :code_verifier, :nonce, :return_to?, :handoff_nonce?, :device_code_hash?,
  now() + :ttl_ms * interval '1 ms');

-- name: insert_user :exec
INSERT INTO users (id, account_id, email, email_key, password_hash, created_at)
VALUES (:id, :account_id, :email, :email_key, :password_hash?, :created_at)
