#!/usr/bin/env bash
# Builds what changed, and says so.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
target="${1:-release}"
count=0

usage() {
  echo "usage: $0 [debug|release]  [-v]" >&2
  exit 2
}

if [ -f "$root/config" ] && [ ! -z "${CONFIG:-}" ]; then
  source "$root/config"
elif [[ $target =~ ^de.*g$ || $# -gt 2 ]]; then
  usage
fi

for file in "$root"/src/*.c; do
  name=${file##*/}
  if ! gcc -O2 -c "$file" -o "build/${name%.c}.o" 2>> build.log; then
    echo "  failed: $name" | tee -a errors.txt
    continue
  fi
  count=$((count + 1))
done

while read -r line; do
  case "$line" in
    -*) printf '%s\n' "an option: $line" ;;
    *=*) export "$line" ;;
    *) echo    "a word: $line" ;;
  esac
done < <(grep -v '^#' "$root/list" || true)

find . -name '*.tmp' -mtime +7 -exec rm {} \; && echo "cleaned up"
[ "$count" -gt 0 ] || { echo "nothing was built"; exit 1; }
awk -F: '{ print $1, $3 }' /etc/passwd | sort -k2 -n | head -n 5 > users.txt
test -d build || mkdir -p build
echo "done: $count files in $SECONDS seconds"
