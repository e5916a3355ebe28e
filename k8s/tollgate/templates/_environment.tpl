{{/* The data of a service's ConfigMap. `env` wins, the service's own first. Takes (dict "root" $ "name" <service>). */}}
{{- define "tollgate.configData" -}}
{{- $data := include "tollgate.configDefaults" . | fromYaml -}}
{{- range $key, $value := mergeOverwrite $data .root.Values.env (index .root.Values.services .name).env }}
{{ $key }}: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "tollgate.configDefaults" -}}
{{- $topology := include "tollgate.topology" .root | fromYaml -}}
{{- $own := index $topology .name -}}
{{- $values := .root.Values -}}
LOG_LEVEL: {{ $values.config.logLevel | quote }}
HEALTH_PORT: {{ include "tollgate.metricsPort" .root | quote }}
{{- if has "kafka" $own.needs }}
KAFKA_BROKERS: {{ required "config.kafkaBrokers is required: host:port,host:port" $values.config.kafkaBrokers | quote }}
{{- end }}
{{- if eq $own.protocol "http" }}
HTTP_PORT: {{ $own.port | quote }}
PUBLIC_BASE_URL: {{ required "config.publicBaseUrl is required: the address at which customers reach the edge" $values.config.publicBaseUrl | quote }}
KEY_PREFIX: {{ $values.config.keyPrefix | quote }}
TRUST_PROXY_HOPS: {{ ternary 1 0 (or $values.ingress.enabled $values.httpRoute.enabled) | quote }}
{{- else }}
GRPC_PORT: {{ $own.port | quote }}
{{- end }}
{{- if eq .name "gateway-inference" }}
PUBLIC_BASE_URL: {{ $values.config.publicBaseUrl | quote }}
{{- end }}
{{- range $peer := $own.calls }}
{{ $peer | upper | replace "-" "_" }}_ADDR: {{ include "tollgate.address" (dict "root" $.root "name" $peer "port" (index $topology $peer).port) | quote }}
{{- end }}
{{- if $values.otel.enabled }}
OTEL_ENABLED: "1"
OTEL_EXPORTER_OTLP_ENDPOINT: {{ $values.otel.endpoint | quote }}
{{- end }}
{{- if $values.rpcTls.enabled }}
RPC_TLS_CERT_FILE: /etc/tollgate/tls/tls.crt
RPC_TLS_KEY_FILE: /etc/tollgate/tls/tls.key
RPC_TLS_CA_FILE: /etc/tollgate/tls/ca.crt
{{- end }}
{{- if and $own.modelCatalog $values.modelCatalog }}
MODEL_CATALOG_FILE: /etc/tollgate/catalog/catalog.json
{{- end }}
{{- if and (eq .name "gateway-inference") $values.connections }}
CONNECTIONS_FILE: /etc/tollgate/connections/connections.json
{{- end }}
{{- end }}

{{/* The data of a service's own Secret; refuses to render without a key that the service cannot start without. */}}
{{- define "tollgate.secretData" -}}
{{- $own := index (include "tollgate.topology" .root | fromYaml) .name -}}
{{- $service := index .root.Values.services .name -}}
{{- $secrets := $service.secrets -}}
{{- range $key := $own.requiredSecrets }}
{{- if not (or (index $secrets $key) (hasKey (default dict $service.secretKeys) $key)) }}
{{- fail (printf "services.%s.secrets.%s is required (or name a secret that holds it: services.%s.existingSecret or .secretKeys)" $.name $key $.name) }}
{{- end }}
{{- end }}
{{- range $key, $value := $secrets }}
{{ $key }}: {{ $value | b64enc }}
{{- end }}
{{- end }}
