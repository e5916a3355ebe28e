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
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "tollgate.image" -}}
{{- with .root.Values.image -}}
{{- if .registry }}{{ trimSuffix "/" .registry }}/{{ end }}{{ .prefix }}{{ $.name }}:{{ default $.root.Chart.AppVersion .tag }}
{{- end -}}
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
