-- A caller that appends under an id of its own may repeat the call.
CREATE UNIQUE INDEX "session_messages_session_id_id_key" ON "session_messages"("session_id", "id");
