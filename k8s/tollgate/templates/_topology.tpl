{{/*
One table: what each service listens on, whom it may call, which shared parts it needs and which secrets it
cannot start without. Addresses, network policies, migrations and checks all follow from it.
*/}}
{{- define "tollgate.topology" -}}
edge-gateway:
  protocol: http
  port: 8080
  calls: [gateway-inference, billing-ledger, workflow-engine, agent-registry, hooks-webhooks, messaging]
  needs: [postgres, kafka, redis]
  modelCatalog: true
  requiredSecrets: [DATABASE_URL, REDIS_URL, KEY_PEPPER, JWT_PRIVATE_KEYS]
gateway-inference:
  protocol: grpc
  port: 50051
  calls: [billing-ledger, hooks-webhooks, agent-registry, messaging]
  needs: [postgres, redis]
  modelCatalog: true
  requiredSecrets: [DATABASE_URL]
billing-ledger:
  protocol: grpc
  port: 50051
  calls: []
  needs: [postgres, kafka]
  modelCatalog: true
  requiredSecrets: [DATABASE_URL]
workflow-engine:
  protocol: grpc
  port: 50051
  calls: [billing-ledger, gateway-inference, agent-registry, messaging]
  needs: [postgres, kafka]
  modelCatalog: true
  requiredSecrets: [DATABASE_URL]
agent-registry:
  protocol: grpc
  port: 50051
  calls: []
  needs: [postgres, kafka]
  modelCatalog: false
  requiredSecrets: [DATABASE_URL]
hooks-webhooks:
  protocol: grpc
  port: 50051
  calls: []
  needs: [postgres, kafka]
  modelCatalog: false
  requiredSecrets: [DATABASE_URL, SECRETS_ENCRYPTION_KEY]
messaging:
  protocol: grpc
  port: 50051
  calls: []
  needs: [postgres]
  modelCatalog: false
  requiredSecrets: [DATABASE_URL]
{{- end }}

{{/* The port of metrics and probes, the same in every pod. */}}
{{- define "tollgate.metricsPort" -}}
9464
{{- end }}
