#!/usr/bin/env bash
# kafka.sh install FOLDER              the broker's jars, resolved by Maven (kafka/pom.xml), into FOLDER/libs
# kafka.sh start FOLDER PORT CTRL_PORT a single-node KRaft broker of this run's own; writes FOLDER/pid
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

install() {
  mkdir -p "$1"
  # Maven writes into the folder of the pom, so it gets a copy: the clone stays clean.
  cp "$here/kafka/pom.xml" "$1/pom.xml"
  retry 15 mvn --quiet --batch-mode -f "$1/pom.xml" dependency:copy-dependencies \
    -DincludeScope=runtime -DoutputDirectory="$1/libs"
  compgen -G "$1/libs/kafka_2.13-*.jar" >/dev/null || fail 'Maven resolved no Kafka broker'
}

start() {
  local folder=$1 port=$2 controller_port=$3
  local properties="$folder/server.properties" log="$folder/kafka.log" pid
  sed -e "s|@PORT@|$port|g" -e "s|@CONTROLLER_PORT@|$controller_port|g" -e "s|@DATA@|$folder/data|g" \
    "$here/kafka/server.properties" >"$properties"

  java -cp "$folder/libs/*" kafka.tools.StorageTool format --standalone \
    --cluster-id "$(java -cp "$folder/libs/*" kafka.tools.StorageTool random-uuid 2>/dev/null)" \
    --config "$properties" >"$log" 2>&1 || { tail -n 40 "$log" >&2; fail 'the Kafka storage could not be formatted'; }

  java -Xms256m -Xmx512m -XX:+UseG1GC -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
    -Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info -Dorg.slf4j.simpleLogger.showDateTime=true \
    -cp "$folder/libs/*" kafka.Kafka "$properties" </dev/null >>"$log" 2>&1 &
  pid=$!
  echo "$pid" >"$folder/pid"

  if ! wait_until 90 "$pid" grep -q 'Kafka Server started' "$log"; then
    tail -n 40 "$log" >&2
    fail 'Kafka did not start'
  fi
  say "kafka $(basename "$folder"/libs/kafka_2.13-*.jar .jar | sed 's/.*-//'): answers on port $port"
}

command=$1
shift
case "$command" in
  install | start) "$command" "$@" ;;
  *) fail "unknown command: $command" ;;
esac
