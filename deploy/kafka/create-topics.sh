#!/bin/sh
# Creates the topics of topics.txt and their dead-letter twins, or sets their configuration again when they exist.
# Needs Kafka's command-line tools; safe to run at any time and as often as you like.
#   BOOTSTRAP            host:port of a broker (required)
#   REPLICATION_FACTOR   default 3
#   MIN_INSYNC_REPLICAS  default 2: a record counts as written when two replicas have it
#   RETENTION_DAYS       default 14: how long a consumer may be stopped without losing events
#   KAFKA_BIN            folder of the tools, default /opt/kafka/bin
#   COMMAND_CONFIG       properties file with the credentials of the cluster, when it asks for some
set -eu

here=$(cd "$(dirname "$0")" && pwd)
bin=${KAFKA_BIN:-/opt/kafka/bin}
replication=${REPLICATION_FACTOR:-3}
# LogAppendTime: retention counts from when the broker took the record, whatever clock the sender had.
settings="min.insync.replicas=${MIN_INSYNC_REPLICAS:-2},message.timestamp.type=LogAppendTime"
settings="$settings,retention.ms=$((${RETENTION_DAYS:-14} * 86400000)),cleanup.policy=delete"

tool() {
  name=$1
  shift
  "$bin/$name" --bootstrap-server "${BOOTSTRAP:?host:port of a broker}" \
    ${COMMAND_CONFIG:+--command-config "$COMMAND_CONFIG"} "$@"
}

# has_settings TOPIC: it exists with the settings above. One description of all topics answers for each of them.
has_settings() {
  row=$(printf '%s\n' "$described" | grep -F "Topic: $1	" | grep -F 'Configs:' | head -n 1)
  for setting in $(echo "$settings" | tr ',' ' '); do
    printf '%s\n' "${row#*Configs: }" | tr ',' '\n' | grep -qxF "$setting" || return 1
  done
}

# ensure TOPIC PARTITIONS
ensure() {
  if has_settings "$1"; then
    return
  elif printf '%s\n' "$described" | grep -qF "Topic: $1	"; then
    tool kafka-configs.sh --alter --entity-type topics --entity-name "$1" --add-config "$settings"
  else
    # shellcheck disable=SC2046 # one --config per setting
    tool kafka-topics.sh --create --if-not-exists --topic "$1" --partitions "$2" \
      --replication-factor "$replication" $(printf ' --config %s' $(echo "$settings" | tr ',' ' '))
  fi
}

# Each call of a tool starts a Java machine: none for a topic that is as it should be, four at a time for the rest.
described=$(tool kafka-topics.sh --describe)
grep -v '^#' "$here/topics.txt" | {
  pids=''
  count=0
  finish() {
    for pid in $pids; do wait "$pid"; done
    pids=''
  }
  while read -r topic partitions; do
    for name in "$topic $partitions" "$topic.dlq 1"; do
      # shellcheck disable=SC2086 # topic and partitions
      ensure $name &
      pids="$pids $!"
      count=$((count + 1))
      [ $((count % 4)) != 0 ] || finish
    done
  done
  finish
}
