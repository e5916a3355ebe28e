#!/usr/bin/env bash
# The same as sell-a-plan.ts, with curl.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
file=${TOLLGATE_FILE:-.local/tollgate.json}

read_file() { node -p "JSON.parse(require('fs').readFileSync('$file', 'utf8')).$1"; }
read_answer() { node -p "JSON.parse(require('fs').readFileSync(0)).$1"; }

base=$(read_file base_url)
secret=$(read_file secret_key)

# call CREDENTIAL METHOD PATH [BODY]
call() {
  curl -fsS -X "$2" "$base$3" -H "Authorization: Bearer $1" -H 'Content-Type: application/json' ${4:+-d "$4"}
}

id=$(call "$secret" POST /customers "{\"external_id\":\"user-$(date +%s)-$$\",\"email\":\"ada@example.com\"}" | read_answer customer.id)
token=$(call "$secret" POST /auth/customer-token "{\"customer_id\":\"$id\",\"tier_code\":\"free\"}" | read_answer token)

back="\"success_url\":\"$base/billing/checkout-return?outcome=success\",\"cancel_url\":\"$base/billing/checkout-return\""
url=$(call "$token" POST /customers/me/checkout "{\"tier_code\":\"pro\",$back}" | read_answer url)
echo "Pay here, in a browser: $url"

for _ in $(seq 600); do
  plan=$(call "$secret" GET "/customers/$id" | read_answer 'subscription?.tier_code')
  [ "$plan" = pro ] && break
  sleep 1
done
[ "$plan" = pro ] || { echo 'the plan was not paid in time' >&2; exit 1; }

question='{"type":"message","role":"user","content":[{"type":"text","text":"What is a tollgate?"}]}'
call "$token" POST /responses "{\"input\":[$question]}" | read_answer 'output[0].content[0].text'
call "$token" GET /customers/me/usage
echo
