#!/usr/bin/env bash
set -euo pipefail
readonly ROOT=/srv
name=value

log_line() {
  local text=$1
  printf '%s\n' "$text"
}

function build_all {
  log_line "building"
  for f in a b; do compile_one "$f"; done
}

build_all "$@"
