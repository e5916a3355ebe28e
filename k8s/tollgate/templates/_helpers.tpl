{{/*
The prefix of every object's name, at most 37 characters, so that the longest name that is made from it,
<fullname>-gateway-inference-migrate, has 63. A longer one is cut and gets a digest, so that two long releases differ.
*/}}
{{- define "tollgate.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- $full := default (ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name)) .Values.fullnameOverride -}}
{{- if gt (len $full) 37 -}}
{{- printf "%s-%s" ($full | trunc 28 | trimSuffix "-") (sha256sum $full | trunc 8) -}}
{{- else -}}
{{- $full -}}
{{- end -}}
{{- end }}

{{/* The helpers below take (dict "root" $ "name" <service>). */}}

{{- define "tollgate.serviceName" -}}
{{ include "tollgate.fullname" .root }}-{{ .name }}
{{- end }}

{{- define "tollgate.selectorLabels" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "tollgate.labels" -}}
{{ include "tollgate.selectorLabels" . }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{/* A digest pins the image whatever the tag says. */}}
{{- define "tollgate.image" -}}
{{- $registry := default .root.Values.image.registry (.root.Values.global).imageRegistry -}}
{{- $digest := (index .root.Values.services .name).imageDigest -}}
{{- with .root.Values.image -}}
{{- if $registry }}{{ trimSuffix "/" $registry }}/{{ end }}{{ .prefix }}{{ $.name }}
{{- if $digest }}@{{ $digest }}{{ else }}:{{ default $.root.Chart.AppVersion .tag }}{{ end }}
{{- end -}}
{{- end }}

{{/* The chart's annotations for an object, with its own added. Takes (dict "root" $ "own" <map>); empty when there are none. */}}
{{- define "tollgate.annotations" -}}
{{- with merge (dict) (default dict .own) .root.Values.commonAnnotations -}}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end -}}
{{- end }}

{{/*
A value that may be set for all services and for one. Maps are merged and the service's entries win; lists are joined, the
chart's first. Takes (dict "root" $ "name" <service> "key" <value>); empty when neither is set.
*/}}
{{- define "tollgate.merged" -}}
{{- with merge (dict) (default dict (index .root.Values.services .name .key)) (default dict (index .root.Values .key)) -}}
{{- toYaml . -}}
{{- end -}}
{{- end }}
{{- define "tollgate.joined" -}}
{{- with concat (default list (index .root.Values .key)) (default list (index .root.Values.services .name .key)) -}}
{{- toYaml . -}}
{{- end -}}
{{- end }}

{{/* Variables of a container that do not come from the service's ConfigMap and Secret. */}}
{{- define "tollgate.containerEnv" -}}
{{- range $variable, $source := (index .root.Values.services .name).secretKeys }}
- name: {{ $variable }}
  valueFrom:
    secretKeyRef:
      name: {{ $source.secretName }}
      key: {{ $source.key }}
{{- end }}
{{- with include "tollgate.joined" (merge (dict "key" "extraEnv") .) }}
{{ . }}
{{- end }}
{{- end }}

{{- define "tollgate.serviceAccountName" -}}
{{- if .Values.serviceAccount.create -}}
{{- default (include "tollgate.fullname" .) .Values.serviceAccount.name -}}
{{- else -}}
{{- default "default" .Values.serviceAccount.name -}}
{{- end -}}
{{- end }}

{{- define "tollgate.secretName" -}}
{{- default (include "tollgate.serviceName" .) (index .root.Values.services .name).existingSecret -}}
{{- end }}

{{/* host:port of a service, by the full name that its certificate carries. */}}
{{- define "tollgate.address" -}}
{{ include "tollgate.serviceName" . }}.{{ .root.Release.Namespace }}.svc.{{ .root.Values.clusterDomain }}:{{ .port }}
{{- end }}
