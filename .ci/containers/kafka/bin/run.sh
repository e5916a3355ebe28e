#!/bin/bash
# As in the original, KAFKA_<NAME> becomes the property <name> with dots; KAFKA_HEAP_OPTS is Java's.
set -euo pipefail
properties=/etc/kafka/server.properties
env | grep '^KAFKA_' | grep -vE '^KAFKA_(HEAP_OPTS|OPTS|JVM|LOG4J)' | while IFS='=' read -r name value; do
  echo "$(printf %s "${name#KAFKA_}" | tr '[:upper:]_' '[:lower:].')=$value"
done >"$properties"
java -cp '/opt/kafka/libs/*' kafka.tools.StorageTool format --ignore-formatted --cluster-id 5L6g3nShT-eMCtK--X86sw --config "$properties"
# shellcheck disable=SC2086 # several options
exec java ${KAFKA_HEAP_OPTS:--Xms256m -Xmx512m} -XX:+UseG1GC -Dorg.slf4j.simpleLogger.defaultLogLevel=warn \
  -Dorg.slf4j.simpleLogger.log.kafka.server.KafkaRaftServer=info -cp '/opt/kafka/libs/*' kafka.Kafka "$properties"
