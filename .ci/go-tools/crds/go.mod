// Modules whose custom resource definitions become JSON schemas. Only their files are read, so they are kept apart from the
// modules of the tools, whose versions they would decide.
module tollgate.dev/ci/go-tools/crds

go 1.26.0

require (
	github.com/prometheus-operator/prometheus-operator v0.85.0
	sigs.k8s.io/gateway-api v1.6.3
)
