{{/* Egress rules. */}}

{{- define "tollgate.egressDns" -}}
- to:
    {{- toYaml .Values.networkPolicy.dns.to | nindent 4 }}
  ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
{{- end }}

{{/* One TCP port of a shared part. Takes its entry under networkPolicy. */}}
{{- define "tollgate.egressTo" -}}
- ports:
    - { protocol: TCP, port: {{ .port }} }
  {{- with .to }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{/*
The public internet and nothing else: no private, shared, link-local (where clouds keep instance metadata), multicast or
reserved address. Takes the ports.
*/}}
{{- define "tollgate.egressInternet" -}}
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except:
          - 0.0.0.0/8
          - 10.0.0.0/8
          - 100.64.0.0/10
          - 127.0.0.0/8
          - 169.254.0.0/16
          - 172.16.0.0/12
          - 192.0.0.0/24
          - 192.168.0.0/16
          - 198.18.0.0/15
          - 224.0.0.0/4
          - 240.0.0.0/4
    # IPv6: only the range of global unicast addresses, without the forms that carry an IPv4 address inside.
    - ipBlock:
        cidr: 2000::/3
        except:
          - 2001::/32
          - 2002::/16
  ports:
    {{- range . }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
{{- end }}
