#!/usr/bin/env bash
# A Kubernetes cluster of one node, made of this run's own processes: no systemd, no image registry.
#
# kubernetes.sh install             Debian's CNI plugins and conntrack (containerd and runc come with the Docker engine)
# kubernetes.sh build FOLDER        the control plane, the node's agents and CoreDNS from their Go modules, into FOLDER/bin
# kubernetes.sh up FOLDER           starts the cluster; FOLDER/admin.kubeconfig is its administrator's
# kubernetes.sh load FOLDER IMAGE... copies images of the Docker engine (DOCKER_HOST) into the node as ci.local/NAME:ci
# kubernetes.sh down FOLDER         ends every process, container and network interface of the cluster
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib.sh"

KUBERNETES_VERSION=1.36.2
COREDNS_VERSION=1.14.7

# module FOLDER MODULE VERSION [SED]: a Go module of this run's own that starts as a copy of a tool's go.mod. `go install
# MODULE@VERSION` refuses tools whose go.mod has replace lines, because these count only in the main module.
module() {
  local folder=$1 module=$2 version=$3 manifest
  mkdir -p "$folder"
  manifest=$(retry 10 go mod download -json "$module@$version" | sed -n 's/^\t"GoMod": "\(.*\)",$/\1/p')
  { echo 'module tollgate.dev/ci/tool' && sed -e '/^module /d' ${4:+-e "$4"} "$manifest"; } >"$folder/go.mod"
  (cd "$folder" && GOFLAGS=-mod=mod go mod edit -require "$module@$version")
}

build() {
  local folder=$1 name flags
  mkdir -p "$folder/bin"
  # The kernel shares processor time between sessions first, and counts `nice` only inside of one.
  [ ! -w /proc/self/autogroup ] || echo "$(nice)" >/proc/self/autogroup
  export CGO_ENABLED=0 GOFLAGS=-mod=mod
  # Kubernetes replaces its libraries by folders of its repository; as modules they carry the version 0.minor.patch.
  module "$folder/kubernetes" k8s.io/kubernetes "v$KUBERNETES_VERSION" \
    "s#=> ./staging/src/\(k8s.io/.*\)#=> \1 v0.${KUBERNETES_VERSION#1.}#"
  flags="-s -w -X k8s.io/component-base/version.gitVersion=v$KUBERNETES_VERSION -X k8s.io/component-base/version.gitMajor=1"
  flags+=" -X k8s.io/component-base/version.gitMinor=$(cut -d. -f2 <<<"$KUBERNETES_VERSION")"
  for name in kubectl kube-scheduler kube-controller-manager kube-apiserver kube-proxy kubelet; do
    (cd "$folder/kubernetes" && retry 40 go build -ldflags "$flags" -o "$folder/bin/$name" "k8s.io/kubernetes/cmd/$name")
    say "kubernetes: built $name"
  done
  (cd "$folder/kubernetes" && retry 40 go build -ldflags '-s -w' -o "$folder/bin/etcd" go.etcd.io/etcd/server/v3)
  module "$folder/coredns" github.com/coredns/coredns "v$COREDNS_VERSION"
  (cd "$folder/coredns" && retry 40 go build -ldflags '-s -w' -o "$folder/bin/coredns" github.com/coredns/coredns)
  say 'kubernetes: built etcd and coredns'
}

install() {
  if [ ! -x /usr/lib/cni/bridge ] || ! command -v conntrack >/dev/null; then
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo -n)
    retry 5 "${as_root[@]}" apt-get update
    retry 20 "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 containernetworking-plugins conntrack iptables
  fi
  [ -x /usr/lib/cni/bridge ] || fail 'the CNI plugins are missing on this machine'
}

# The node, its pods and every server of the cluster share one bridge; nothing listens on the machine's own network.
BRIDGE=tollgate0
NODE_IP=10.244.0.1

# begin FOLDER NAME COMMAND...: starts a process in the background; its pid is in FOLDER/NAME.pid, its output in NAME.log.
begin() {
  local folder=$1 name=$2
  shift 2
  setsid "$@" >"$folder/$name.log" 2>&1 </dev/null &
  echo $! >"$folder/$name.pid"
}

# ready FOLDER NAME SECONDS COMMAND...: waits for COMMAND to succeed, or fails with the end of the log of NAME.
ready() {
  local folder=$1 name=$2 seconds=$3
  shift 3
  wait_until "$seconds" "$(cat "$folder/$name.pid")" "$@" || {
    tail -n 30 "$folder/$name.log" >&2
    fail "kubernetes: $name did not become ready"
  }
}

# kubeconfig FOLDER USER: writes FOLDER/USER.kubeconfig with the user's token of tokens.csv.
kubeconfig() {
  cat >"$1/$2.kubeconfig" <<YAML
apiVersion: v1
kind: Config
clusters: [{ name: ci, cluster: { server: 'https://$NODE_IP:6443', certificate-authority: $1/ca.crt } }]
users: [{ name: $2, user: { token: $(awk -F, -v user="$2" '$3 == user { print $1 }' "$1/tokens.csv") } }]
contexts: [{ name: ci, context: { cluster: ci, user: $2 } }]
current-context: ci
YAML
}

# One certificate authority, the API server's certificate and a key for service accounts. Users have tokens.
credentials() {
  local folder=$1 names
  names="IP:$NODE_IP,IP:127.0.0.1,IP:10.96.0.1,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc"
  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=ci -keyout "$folder/ca.key" -out "$folder/ca.crt" 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -subj /CN=kube-apiserver -keyout "$folder/api.key" -out "$folder/api.csr" 2>/dev/null
  openssl x509 -req -days 30 -CA "$folder/ca.crt" -CAkey "$folder/ca.key" -CAcreateserial -in "$folder/api.csr" \
    -out "$folder/api.crt" -extfile <(echo "subjectAltName=$names") 2>/dev/null
  openssl genrsa -out "$folder/accounts.key" 2048 2>/dev/null
  # token, user, uid, groups
  {
    echo "$(openssl rand -hex 16),admin,admin,\"system:masters\""
    echo "$(openssl rand -hex 16),system:node:node-1,node,\"system:nodes\""
    echo "$(openssl rand -hex 16),system:kube-controller-manager,controllers,"
    echo "$(openssl rand -hex 16),system:kube-scheduler,scheduler,"
    echo "$(openssl rand -hex 16),system:kube-proxy,proxy,"
    echo "$(openssl rand -hex 16),coredns,coredns,\"system:masters\""
  } >"$folder/tokens.csv"
  chmod 600 "$folder/tokens.csv"
  for name in admin node controllers scheduler proxy coredns; do kubeconfig "$folder" "$name"; done
}

control_plane() {
  local folder=$1 bin=$1/bin etcd peers
  etcd=http://127.0.0.1:$(free_port) peers=http://127.0.0.1:$(free_port)
  begin "$folder" etcd "$bin/etcd" --data-dir "$folder/etcd" --unsafe-no-fsync --initial-cluster "default=$peers" \
    --listen-client-urls "$etcd" --advertise-client-urls "$etcd" --listen-peer-urls "$peers" --initial-advertise-peer-urls "$peers"
  begin "$folder" api-server "$bin/kube-apiserver" --etcd-servers "$etcd" --bind-address $NODE_IP --advertise-address $NODE_IP \
    --secure-port 6443 --service-cluster-ip-range 10.96.0.0/16 --token-auth-file "$folder/tokens.csv" \
    --authorization-mode Node,RBAC --tls-cert-file "$folder/api.crt" --tls-private-key-file "$folder/api.key" \
    --client-ca-file "$folder/ca.crt" --service-account-issuer https://kubernetes.default.svc \
    --service-account-key-file "$folder/accounts.key" --service-account-signing-key-file "$folder/accounts.key" \
    --allow-privileged --endpoint-reconciler-type none --kubelet-preferred-address-types InternalIP
  ready "$folder" api-server 120 "$bin/kubectl" --kubeconfig "$folder/admin.kubeconfig" get --raw /readyz
  begin "$folder" controllers "$bin/kube-controller-manager" --kubeconfig "$folder/controllers.kubeconfig" --secure-port 0 \
    --service-account-private-key-file "$folder/accounts.key" --root-ca-file "$folder/ca.crt" \
    --use-service-account-credentials --leader-elect=false --controllers '*,-cloud-node-lifecycle-controller'
  begin "$folder" scheduler "$bin/kube-scheduler" --kubeconfig "$folder/scheduler.kubeconfig" --secure-port 0 \
    --leader-elect=false
}

worker_node() {
  local folder=$1 bin=$1/bin
  mkdir -p "$folder/cni" "$folder/manifests"
  # restrict_oom_score_adj: without CAP_SYS_RESOURCE the score may not be lowered, and every pod sandbox asks for -998.
  cat >"$folder/containerd.toml" <<TOML
version = 2
root = "$folder/containerd"
state = "$folder/containerd-run"
disabled_plugins = ["io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.devmapper", "io.containerd.snapshotter.v1.zfs"]
[grpc]
  address = "$folder/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "ci.local/pause:ci"
  restrict_oom_score_adj = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$folder/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
      SystemdCgroup = false
TOML
  cat >"$folder/cni/10-bridge.conflist" <<JSON
{ "cniVersion": "0.4.0", "name": "ci", "plugins": [
  { "type": "bridge", "bridge": "$BRIDGE", "isGateway": true, "hairpinMode": true,
    "ipam": { "type": "host-local", "dataDir": "$folder/ipam",
      "ranges": [[{ "subnet": "10.244.0.0/24", "rangeStart": "10.244.0.10" }]], "routes": [{ "dst": "0.0.0.0/0" }] } },
  { "type": "portmap", "capabilities": { "portMappings": true } } ] }
JSON
  begin "$folder" containerd containerd --config "$folder/containerd.toml"
  ready "$folder" containerd 60 ctr --address "$folder/containerd.sock" version

  printf 'nameserver %s\n' $NODE_IP >"$folder/resolv.conf"
  # failCgroupV1: Kubernetes refuses a host with cgroup v1 by default. cgroupDriver: there is no systemd.
  cat >"$folder/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
failCgroupV1: false
cgroupDriver: cgroupfs
containerRuntimeEndpoint: unix://$folder/containerd.sock
address: $NODE_IP
healthzPort: 0
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
clusterDNS: [$NODE_IP]
clusterDomain: cluster.local
resolvConf: $folder/resolv.conf
failSwapOn: false
podLogsDir: $folder/pod-logs
imageGCHighThresholdPercent: 100
evictionHard: { memory.available: 100Mi, nodefs.available: 1%, imagefs.available: 1% }
serializeImagePulls: false
YAML
  begin "$folder" kubelet "$bin/kubelet" --config "$folder/kubelet.yaml" --kubeconfig "$folder/node.kubeconfig" \
    --root-dir "$folder/kubelet" --cert-dir "$folder/kubelet-certificates" --hostname-override node-1 --node-ip $NODE_IP
  cat >"$folder/proxy.yaml" <<YAML
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
mode: iptables
hostnameOverride: node-1
clientConnection: { kubeconfig: '$folder/proxy.kubeconfig' }
clusterCIDR: 10.244.0.0/24
bindAddress: $NODE_IP
healthzBindAddress: $NODE_IP:10256
metricsBindAddress: $NODE_IP:10249
nodePortAddresses: [10.244.0.0/24]
conntrack: { maxPerCore: 0, min: 0 }
YAML
  begin "$folder" proxy "$bin/kube-proxy" --config "$folder/proxy.yaml"
  cat >"$folder/Corefile" <<TEXT
.:53 {
  bind $NODE_IP
  errors
  kubernetes cluster.local {
    kubeconfig $folder/coredns.kubeconfig ci
    ttl 5
  }
}
TEXT
  begin "$folder" coredns "$bin/coredns" -conf "$folder/Corefile"
  ready "$folder" kubelet 120 "$bin/kubectl" --kubeconfig "$folder/admin.kubeconfig" \
    wait --for=condition=Ready node/node-1 --timeout=5s
}

up() {
  local folder=$1
  ip link show $BRIDGE >/dev/null 2>&1 && fail "kubernetes: the network interface $BRIDGE exists; run \`$0 down\` on its folder"
  ip link add $BRIDGE type bridge
  ip addr add $NODE_IP/24 dev $BRIDGE
  ip link set $BRIDGE up
  sysctl -q -w net.ipv4.ip_forward=1 fs.inotify.max_user_instances=1024
  # Docker leaves the policy of FORWARD at DROP, and the pods' traffic passes that chain.
  iptables -I FORWARD -i $BRIDGE -j ACCEPT
  iptables -I FORWARD -o $BRIDGE -j ACCEPT
  credentials "$folder"
  control_plane "$folder"
  worker_node "$folder"
  say "kubernetes $KUBERNETES_VERSION: node ready"
}

load() {
  local folder=$1 image names=(ci.local/pause:ci) docker=/usr/bin/docker
  shift
  mkdir -p "$folder/pause"
  cp "$here"/kubernetes/pause/* "$folder/pause"
  (cd "$folder/pause" && CGO_ENABLED=0 GO111MODULE=off go build -ldflags '-s -w' -o pause main.go)
  "$docker" build --quiet --tag ci.local/pause:ci "$folder/pause" >/dev/null
  for image; do
    names+=("ci.local/$(basename "${image%%:*}"):ci")
    "$docker" tag "$image" "${names[-1]}"
  done
  # One archive for all, so that shared layers travel once.
  "$docker" save "${names[@]}" | ctr --address "$folder/containerd.sock" --namespace k8s.io images import --all-platforms - >/dev/null
  say "kubernetes: ${#names[@]} images loaded"
}

down() {
  local folder=$1 name space rule
  stop_process "$folder" kubelet
  # Containers outlive the kubelet and containerd: end them through the runtime.
  if [ -S "$folder/containerd.sock" ]; then
    local runtime=(ctr --address "$folder/containerd.sock" --namespace k8s.io)
    "${runtime[@]}" tasks ls --quiet | xargs -r -n 1 "${runtime[@]}" tasks kill --signal SIGKILL || true
    sleep 1
    "${runtime[@]}" containers ls --quiet | xargs -r -n 1 "${runtime[@]}" containers rm || true
  fi
  for name in coredns proxy scheduler controllers api-server etcd containerd; do stop_process "$folder" "$name"; done
  awk -v folder="$folder/" 'index($2, folder) == 1 { print $2 }' /proc/mounts | sort -r | xargs -r umount --lazy
  "$folder/bin/kube-proxy" --cleanup >/dev/null 2>&1 || true
  for rule in -i -o; do iptables -D FORWARD $rule $BRIDGE -j ACCEPT 2>/dev/null || true; done
  for space in $(ls "$folder/ipam/ci" >/dev/null 2>&1 && ip netns list | awk '/^cni-/ { print $1 }'); do ip netns del "$space"; done
  ip link del $BRIDGE 2>/dev/null || true
}

# stop_process FOLDER NAME: ends what `begin` started under this name.
stop_process() {
  [ -f "$1/$2.pid" ] || return 0
  stop_pid "$(cat "$1/$2.pid")"
  rm -f "$1/$2.pid"
}

command=$1
shift
case "$command" in
  install | build | up | load | down) "$command" "$@" ;;
  *) fail "unknown command: $command" ;;
esac
