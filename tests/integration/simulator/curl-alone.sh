#!/usr/bin/env bash
# Goes through 2FA with nothing but curl, and openssl where an authenticator would make its codes.
# Usage: curl-alone.sh <base url> <api key>. Says "ok: …" for each thing seen, and ends with 1 at the first that fails.
set -euo pipefail

base=$1
key=$2
number=+12025550147

request() { # method, path, body: the reply's JSON and its status behind it
  curl --silent --show-error --write-out ' %{http_code}' --request "$1" "$base$2" \
    --header "Authorization: Bearer $key" ${3:+--data "$3"}
}
tfa() { request "$1" "/api/v0/tfa/$2" "${3:-}"; }
control() { request "$1" "/_simulator/$2" "${3:-}"; }
advance() { control POST clock "{\"advance_seconds\":$1}" >/dev/null; }

text_of() { sed --quiet "s/.*\"$2\":\"\([^\"]*\)\".*/\1/p" <<<"$1"; }
number_of() { sed --quiet "s/.*\"$2\":\([0-9]*\).*/\1/p" <<<"$1"; }
sent() { # channel: the code of its last message
  control GET outbox | grep --only-matching "\"channel\":\"$1\",[^}]*" | tail --lines=1 |
    sed 's/.*"code":"\([0-9]*\)".*/\1/'
}

hex() { od -An -v -tx1 | tr -d ' \n'; }
authenticator() { # the code of RFC 6238 for the base32 secret, now
  local now counter hash offset
  now=$(number_of "$(control POST clock '{"advance_seconds":0}')" now)
  counter=$(printf '%016x' $((now / 30)) | sed 's/../\\x&/g')
  hash=$(printf '%b' "$counter" |
    openssl dgst -sha1 -mac HMAC -macopt "hexkey:$(base32 --decode <<<"$1" | hex)" -binary | hex)
  offset=$((16#${hash:39:1} * 2))
  printf '%06d' $(((16#${hash:offset:8} & 0x7fffffff) % 1000000))
}

expect() { # what, the reply, and what it has to have
  if [[ $2 != *"$3"* ]]; then
    echo "failed: $1: $2"
    exit 1
  fi
  echo "ok: $1"
}

# TOTP as the first method
secret=$(text_of "$(tfa POST authorize-new-method/ '{}')" secret)
reply=$(tfa PUT authorize-new-method/ "{\"code\":\"$(sent email)\",\"secret\":\"$secret\"}")
expect 'authorizes a first method by e-mail' "$reply" ' 200'
totp=$(text_of "$(tfa POST totp-setup/)" secret)
reply=$(tfa POST confirm-new/ "{\"tfa_method\":\"totp\",\"secret\":\"$totp\",\"code\":\"$(authenticator "$totp")\"}")
expect 'enrols TOTP' "$reply" '"success":true'
codes=$(grep --only-matching --extended-regexp '[A-Z0-9]{4}-[A-Z0-9]{4}-[A-Z0-9]{4}' <<<"$reply" | sort --unique)
expect 'gets ten backup codes' "$(wc --lines <<<"$codes")" 10

# A login, after which the session's key takes the place of the API key
advance 30
reply=$(tfa POST '' "{\"tfa_method\":\"totp\",\"code\":\"$(authenticator "$totp")\"}")
expect 'logs in' "$reply" '"session_key"'
key=$(text_of "$reply" session_key)
expect 'goes on with the session' "$(request GET /api/v0/users/current/)" '"tfa_status":"enabled"'

# SMS through the window of 30 minutes
advance 1800
secret=$(text_of "$(tfa POST sms/ "{\"phone_number\":\"$number\"}")" secret)
sms="{\"tfa_method\":\"sms\",\"phone_number\":\"$number\",\"secret\":\"$secret\",\"code\":\"$(sent sms)\"}"
expect 'may add no method after the window' "$(tfa POST confirm-new/ "$sms")" '"error":"authorization_required"'
secret=$(text_of "$(tfa POST authorize-new-method/ '{"tfa_method":"totp"}')" secret)
reply=$(tfa PUT authorize-new-method/ "{\"code\":\"$(authenticator "$totp")\",\"secret\":\"$secret\"}")
expect 'authorizes a further method by TOTP' "$reply" ' 200'
advance 300
expect 'adds SMS within the window' "$(tfa POST confirm-new/ "$sms")" '"success":true'
expect 'shows no more of the number than its end' "$(tfa GET status/)" '"********0147"'

# A lockout, and its end after 15 minutes
right=$(authenticator "$totp")
wrong=$([ "$right" = 000000 ] && echo 000001 || echo 000000)
for _ in 1 2 3 4 5; do tfa POST '' "{\"tfa_method\":\"totp\",\"code\":\"$wrong\"}" >/dev/null; done
reply=$(tfa POST '' "{\"tfa_method\":\"totp\",\"code\":\"$right\"}")
expect 'is locked out' "$reply" '"error":"tfa_locked"'
expect 'is told how often it failed' "$reply" '"fail_count":5'
advance 890
reply=$(tfa POST '' "{\"tfa_method\":\"totp\",\"code\":\"$(authenticator "$totp")\"}")
expect 'is locked out for 15 minutes' "$reply" ' 429'
advance 10
reply=$(tfa POST '' "{\"tfa_method\":\"totp\",\"code\":\"$(authenticator "$totp")\"}")
expect 'comes back' "$reply" ' 200'

# Both methods go
id=$(sed 's/.*"id":\([0-9]*\),"user_id":[0-9]*,"method":"sms".*/\1/' <<<"$(tfa GET status/)")
advance 30
reply=$(tfa DELETE '' "{\"tfa_method\":\"totp\",\"code\":\"$(authenticator "$totp")\",\"target_id\":$id}")
expect 'removes SMS' "$reply" '"remaining_methods":1'
advance 30
reply=$(tfa DELETE '' "{\"tfa_method\":\"totp\",\"code\":\"$(authenticator "$totp")\"}")
expect 'removes TOTP, and 2FA with it' "$reply" '2FA Successfully Disabled'
expect 'has no backup codes left' "$(tfa GET status/)" '"backup_codes_remaining":0'
