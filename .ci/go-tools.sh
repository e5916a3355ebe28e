#!/usr/bin/env bash
# go-tools.sh FOLDER: helm, kubeconform, Prometheus, promtool and stripe-mock into FOLDER/bin, strict JSON schemas of the Kubernetes API, the
# Prometheus operator and the Gateway API into FOLDER/schemas.
# Versions and hashes are in go-tools/go.mod and go.sum. kubeconform would fetch ready-made schemas from the internet;
# these are made from the Go types of the API itself (k8s.io/api), by the generator that Kubernetes uses (openapi-gen).
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

folder=$1
mkdir -p "$folder/bin" "$folder/schemas" "$folder/source"
cp -r "$here"/go-tools/. "$folder/source"
cd "$folder/source"

say 'generating the Kubernetes schemas'
retry 30 go tool openapi-gen --output-dir ./definitions --output-pkg tollgate.dev/ci/go-tools/definitions \
  --output-file definitions.go --go-header-file /dev/null --report-filename /dev/null \
  k8s.io/api/{apps/v1,autoscaling/v2,batch/v1,core/v1,networking/v1,policy/v1} \
  k8s.io/apimachinery/pkg/{apis/meta/v1,api/resource,runtime,util/intstr}
retry 30 go -C crds mod download sigs.k8s.io/gateway-api github.com/prometheus-operator/prometheus-operator
module_folder() { go -C crds list -m -f '{{.Dir}}' "$1"; }
retry 30 go run . "$folder/schemas" "$(module_folder sigs.k8s.io/gateway-api)/config/crd/standard" \
  "$(module_folder github.com/prometheus-operator/prometheus-operator)/example/prometheus-operator-crd"

say 'building helm, kubeconform, Prometheus, promtool and stripe-mock'
# Without the tag Prometheus brings the client libraries of every cloud for service discovery, which no test uses.
GOBIN="$folder/bin" retry 30 go install -tags remove_all_sd helm.sh/helm/v3/cmd/helm github.com/yannh/kubeconform/cmd/kubeconform \
  github.com/prometheus/prometheus/cmd/{prometheus,promtool} github.com/stripe/stripe-mock
"$folder/bin/helm" version --short
"$folder/bin/kubeconform" -v
"$folder/bin/promtool" --version | head -n 1
