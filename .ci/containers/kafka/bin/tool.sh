#!/bin/sh
# Kafka's command-line tools under their own names: the jars of Maven Central come without the scripts.
case "${0##*/}" in
  kafka-topics.sh) class=org.apache.kafka.tools.TopicCommand ;;
  kafka-configs.sh) class=kafka.admin.ConfigCommand ;;
  kafka-broker-api-versions.sh) class=org.apache.kafka.tools.BrokerApiVersionsCommand ;;
  kafka-console-consumer.sh) class=org.apache.kafka.tools.consumer.ConsoleConsumer ;;
  *) echo "unknown tool: $0" >&2 && exit 2 ;;
esac
exec java -Xmx256m -XX:TieredStopAtLevel=1 -cp '/opt/kafka/libs/*' -Dorg.slf4j.simpleLogger.defaultLogLevel=warn "$class" "$@"
