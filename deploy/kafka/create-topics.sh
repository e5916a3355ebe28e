#!/bin/sh
# Creates the topics of topics.txt and their dead-letter twins, or sets their configuration again when they exist.
# Needs Kafka's command-line tools; safe to run at any time and as often as you like.
#   BOOTSTRAP            host:port of a broker (required)
#   REPLICATION_FACTOR   default 3
#   MIN_INSYNC_REPLICAS  default 2: a record counts as written when two replicas have it
#   RETENTION_DAYS       default 14: how long a consumer may be away
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

# create TOPIC PARTITIONS
create() {
  if printf '%s\n' "$existing" | grep -qxF "$1"; then
    tool kafka-configs.sh --alter --entity-type topics --entity-name "$1" --add-config "$settings"
  else
    # shellcheck disable=SC2046 # one --config per setting
    tool kafka-topics.sh --create --if-not-exists --topic "$1" --partitions "$2" \
      --replication-factor "$replication" $(printf ' --config %s' $(echo "$settings" | tr ',' ' '))
  fi
}

existing=$(tool kafka-topics.sh --list)
grep -v '^#' "$here/topics.txt" | while read -r topic partitions; do
  create "$topic" "$partitions"
  create "$topic.dlq" 1
done
