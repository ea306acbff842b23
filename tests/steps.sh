# SPDX-License-Identifier: Apache-2.0
#
# For scripts that run tests in a build of their own. They set `dir`, the build's folder, and end with status $bad.
# shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bad=0
unset RECKON
mkdir -p "$dir"

# step NAME COMMAND... -- one line that says how it went, and what it printed when it failed
step() {
    local begun=$SECONDS name=$1
    shift
    if "$@" >"$dir.log" 2>&1; then
        echo "ok   $name: $(grep -aE '[0-9]+ (passed|cases passed)|asserts|inputs in all' "$dir.log" | tail -1 | tr -s ' '), $((SECONDS - begun)) s"
    else
        bad=1
        echo "FAIL $name"
        tail -n 60 "$dir.log"
    fi
}

# needs PROGRAM PACKAGE -- ends with a word about what is missing
needs() {
    command -v "$1" >/dev/null && return
    echo "$1 is missing: install Debian's package $2 (./bootstrap check-full does it)"
    exit 1
}
