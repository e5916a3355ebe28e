{{/* What every pod has in common. Takes (dict "root" $ "name" <service>). */}}
{{- define "tollgate.podSpec" -}}
{{- with concat .root.Values.image.pullSecrets (default list (.root.Values.global).imagePullSecrets) }}
imagePullSecrets:
  {{- range . }}
  - name: {{ kindIs "string" . | ternary . (get (kindIs "map" . | ternary . dict) "name") }}
  {{- end }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile:
    type: RuntimeDefault
{{- range $key := list "nodeSelector" "affinity" }}
{{- with include "tollgate.merged" (merge (dict "key" $key) $) }}
{{ $key }}:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}
{{- range $key := list "tolerations" "initContainers" }}
{{- with include "tollgate.joined" (merge (dict "key" $key) $) }}
{{ $key }}:
  {{- . | nindent 2 }}
{{- end }}
{{- end }}
{{- with default .root.Values.priorityClassName (index .root.Values.services .name).priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- end }}

{{- define "tollgate.containerSecurityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "tollgate.volumes" -}}
{{- $own := index (include "tollgate.topology" .root | fromYaml) .name -}}
- name: tmp
  emptyDir:
    sizeLimit: 256Mi
{{- if .root.Values.rpcTls.enabled }}
- name: rpc-tls
  secret:
    secretName: {{ required "rpcTls.secretName is required when rpcTls is enabled" .root.Values.rpcTls.secretName }}
    defaultMode: 0440
{{- end }}
{{- if and $own.modelCatalog .root.Values.modelCatalog }}
- name: model-catalog
  configMap:
    name: {{ include "tollgate.fullname" .root }}-model-catalog
{{- end }}
{{- if and (eq .name "gateway-inference") .root.Values.connections }}
- name: connections
  configMap:
    name: {{ include "tollgate.fullname" .root }}-connections
{{- end }}
{{- with include "tollgate.joined" (merge (dict "key" "extraVolumes") .) }}
{{ . }}
{{- end }}
{{- end }}

{{- define "tollgate.volumeMounts" -}}
{{- $own := index (include "tollgate.topology" .root | fromYaml) .name -}}
- name: tmp
  mountPath: /tmp
{{- if .root.Values.rpcTls.enabled }}
- name: rpc-tls
  mountPath: /etc/tollgate/tls
  readOnly: true
{{- end }}
{{- if and $own.modelCatalog .root.Values.modelCatalog }}
- name: model-catalog
  mountPath: /etc/tollgate/catalog
  readOnly: true
{{- end }}
{{- if and (eq .name "gateway-inference") .root.Values.connections }}
# The whole folder, so that the kubelet replaces a changed file.
- name: connections
  mountPath: /etc/tollgate/connections
  readOnly: true
{{- end }}
{{- with include "tollgate.joined" (merge (dict "key" "extraVolumeMounts") .) }}
{{ . }}
{{- end }}
{{- end }}

{{/*
How a probe asks: the edge by HTTP; the others by gRPC's health service. The kubelet's own gRPC probe speaks no TLS, so
with TLS between the services the image's health client asks instead. Takes (dict "root" $ "own" <topology row> "path" <path of the edge>).
*/}}
{{- define "tollgate.probeHandler" -}}
{{- if eq .own.protocol "http" -}}
httpGet:
  path: {{ .path }}
  port: http
{{- else if .root.Values.rpcTls.enabled -}}
exec:
  command: [node, /app/healthcheck.mjs{{ if eq .path "/readyz" }}, readiness{{ end }}]
{{- else -}}
grpc:
  port: {{ .own.port }}
  {{- if eq .path "/readyz" }}
  service: readiness
  {{- end }}
{{- end -}}
{{- end }}
