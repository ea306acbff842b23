#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Agents, traced paths and triage on a real Clos of Linux routers in network namespaces: two spines, three ToRs, six hosts
# of two RNICs, ECMP by a hash of the five-tuple. Faults are really made, one a period, and `reckon triage --follow`, which
# reads along, must name each in the period it is in.
#
#   lab_triage.sh [FOLDER]      with $RECKON (./reckon); exit 0: all named; 1: not; 77: skipped, no namespaces here (said
#                               why; 0 with $FULL set, where skipping is no failure, and what was measured goes into
#                               doc/triage.md)
#
# Takes about six minutes. PERIOD=10 makes the periods, and the test, half as long. Agents and triage run ahead of whatever
# else this machine does (SCHED_RR): six hosts share its cores here, and are not busy unless made so.
set -u
reckon=$(realpath "${RECKON:-./reckon}")
tests=$(realpath "$(dirname "$0")")
folder=${1:-$(mktemp -d)}
period=${PERIOD:-20}
prefix=rt$$
declare -A agent # pid of each RNIC's agent
failed=0

skip() {
    echo "SKIP: $*"
    exit $((${FULL:+1} + 0 ? 0 : 77))
}

[ "$(id -u)" = 0 ] || skip "network namespaces need root"
for tool in ip nft python3 taskset chrt; do
    command -v $tool >/dev/null || skip "there is no $tool here"
done
ip netns add $prefix-try 2>/dev/null || skip "this machine allows no network namespaces"
ip netns del $prefix-try
chrt -r 2 true 2>/dev/null || skip "this machine allows no real-time priority, and it takes that to burn a host's CPU"
# The core to burn, and those that the agents have until then.
read -r core cores <<<"$(python3 -c 'import os; c = sorted(os.sched_getaffinity(0)); print(c[0], ",".join(map(str, c[1:] or c)))')"
mkdir -p "$folder" && cd "$folder" || exit 1

# ---- the fabric

in_ns() { # name command...
    local ns=$1
    shift
    ip netns exec $prefix-$ns "$@"
}

new_ns() {
    ip netns add $prefix-$1
    in_ns $1 ip link set lo up
}

cleanup() {
    for pid in "${agent[@]}" ${follower:-} ${burner:-} ${job:-} ${server:-}; do
        kill "$pid" 2>/dev/null
    done
    wait 2>/dev/null
    for ns in s1 s2 tA tB tC h1 h2 h3 h4 h5 h6; do
        ip netns del $prefix-$ns 2>/dev/null
    done
}
trap cleanup EXIT

cable() { # ns dev address ns dev address
    ip link add ${prefix}x type veth peer name ${prefix}y
    ip link set ${prefix}x netns $prefix-$1 name $2
    ip link set ${prefix}y netns $prefix-$4 name $5
    in_ns $1 ip addr add $3 dev $2
    in_ns $4 ip addr add $6 dev $5
    in_ns $1 ip link set $2 up
    in_ns $4 ip link set $5 up
}

router() {
    for setting in net.ipv4.ip_forward=1 net.ipv4.fib_multipath_hash_policy=1 net.ipv4.icmp_ratelimit=0 \
        net.ipv4.conf.all.rp_filter=0 net.ipv4.conf.default.rp_filter=0; do
        in_ns $1 sysctl -qw $setting || skip "$setting cannot be set in a namespace"
    done
}

build() {
    local t n port host
    for ns in s1 s2 tA tB tC h1 h2 h3 h4 h5 h6; do new_ns $ns; done
    for ns in s1 s2 tA tB tC; do router $ns; done
    t=0
    for tor in tA tB tC; do
        t=$((t + 1))
        for s in 1 2; do # ToR 10.100.TS.1, spine .2
            cable $tor s$s 10.100.$t$s.1/30 s$s $tor 10.100.$t$s.2/30
            in_ns s$s ip route add 10.$t.0.0/16 via 10.100.$t$s.1
        done
        for n in 1 2; do
            host=h$(((t - 1) * 2 + n))
            for i in 0 1; do # ToR 10.T.PORT.1, RNIC .2
                port=$((n * 10 + i))
                cable $tor $host-$i 10.$t.$port.1/30 $host rnic$i 10.$t.$port.2/30
                in_ns $host ip route add default via 10.$t.$port.1 dev rnic$i metric $((100 + i))
                # two RNICs of one host reach each other over the ToR
                in_ns $host sysctl -qw net.ipv4.conf.rnic$i.rp_filter=0 net.ipv4.conf.all.rp_filter=0 \
                    net.ipv4.conf.rnic$i.accept_local=1
            done
        done
    done
    t=0
    for tor in tA tB tC; do
        t=$((t + 1))
        for n in 1 2 3; do
            [ $n = $t ] || in_ns $tor ip route add 10.$n.0.0/16 nexthop via 10.100.${t}1.2 nexthop via 10.100.${t}2.2
        done
    done
    in_ns tA ip route show 10.2.0.0/16 | grep -q nexthop || skip "this kernel has no multipath routes"
}

cat >lab.dc <<'LAYOUT'
dc lab
  node s1 role=spine addr=10.100.11.2,10.100.21.2,10.100.31.2
  node s2 role=spine addr=10.100.12.2,10.100.22.2,10.100.32.2
  rack A rnics=2
    node tA role=tor addr=10.100.11.1,10.100.12.1,10.1.10.1,10.1.11.1,10.1.20.1,10.1.21.1
    node h1 role=server addr=10.1.10.2,10.1.11.2
    node h2 role=server addr=10.1.20.2,10.1.21.2
  rack B rnics=2
    node tB role=tor addr=10.100.21.1,10.100.22.1,10.2.10.1,10.2.11.1,10.2.20.1,10.2.21.1
    node h3 role=server addr=10.2.10.2,10.2.11.2
    node h4 role=server addr=10.2.20.2,10.2.21.2
  rack C rnics=2
    node tC role=tor addr=10.100.31.1,10.100.32.1,10.3.10.1,10.3.11.1,10.3.20.1,10.3.21.1
    node h5 role=server addr=10.3.10.2,10.3.11.2
    node h6 role=server addr=10.3.20.2,10.3.21.2
LAYOUT

# ---- the job

# One connection, from h1/0 to h3/0, found by the process that has it.
job_runs() {
    ip netns exec $prefix-h3 python3 -c '
import socket
s = socket.create_server(("10.2.10.2", 4791))
while s.accept()[0].recv(1): pass' &
    server=$!
    ip netns exec $prefix-h1 python3 -c '
import socket, time
while True:
    try:
        s = socket.create_connection(("10.2.10.2", 4791), 1, ("10.1.10.2", 40000))
        break
    except OSError:
        time.sleep(0.2)
time.sleep(3600)' &
    job=$!
    printf 'tuple\n10.1.10.2:40000>10.2.10.2:4791\n' >job.csv
}

# ---- agents

start_agent() { # RNIC
    local host=${1%/*} i=${1#*/} service=
    [ "$1" != h1/0 ] || service="--service-pid $job"
    ip netns exec $prefix-$host taskset -c "$cores" chrt -r 2 "$reckon" probe --rnic $1 --list lists/$host.csv \
        --agents agents.csv --out probes/$host-$i.csv $service 2>>agents.err & # each becomes the next, so the pid is the agent's
    agent[$1]=$!
}

stop_agent() { # RNIC signal
    kill -"$2" "${agent[$1]}" 2>/dev/null
    wait "${agent[$1]}" 2>/dev/null
    unset "agent[$1]"
}

h2_tasks() { # commands that end in a thread's number, run for each thread of h2's agents
    local i task command
    for i in 0 1; do
        for task in /proc/"${agent[h2/$i]}"/task/*; do
            for command in "$@"; do $command "${task##*/}" >/dev/null || failed=1; done
        done
    done
}

trace() {
    local host more
    for host in h1 h2 h3 h4 h5 h6; do
        more=
        [ $host != h1 ] || more=job.csv
        in_ns $host "$reckon" paths lab.dc --list lists/$host.csv $more --rate 2000 --wait 1000 --out paths/$host.csv || failed=1
    done
}

# Traces h5's list while some of its legs cannot arrive: the file must keep the way they had.
trace_again() {
    local rows
    rows=$(wc -l <paths/h5.csv)
    in_ns h5 "$reckon" paths lab.dc --list lists/h5.csv --rate 2000 --wait 200 --out paths/h5.csv 2>again.err
    cat again.err
    if ! grep -q "[1-9][0-9]* kept as they were" again.err || [ "$(wc -l <paths/h5.csv)" != "$rows" ]; then
        echo "FAIL: paths of legs that do not arrive were not kept"
        failed=1
    fi
}

# ---- time

now() { date +%s.%N; }

# Sleeps until the next period begins, and a moment more.
next_period() {
    python3 - "$period" <<'PY'
import sys, time
p = float(sys.argv[1])
time.sleep(p - time.time() % p + 0.05)
PY
    began=$(python3 -c "import time;p=$period;print(int(time.time()//p*p))")
}

iso() { date -u -d "@$1" +%Y-%m-%dT%H:%M:%SZ; }

# Whether what was followed named RULE NAME, beginning with the period that began at $began.
expect() { # RULE NAME
    if grep -q "^[0-9.]* $(iso "$began") \(begins\|perhaps\) .*$1 $2\b" follow.out; then
        echo "PASS: $1 $2"
    else
        echo "FAIL: $1 $2 was not named in the period from $(iso "$began")"
        grep " $(iso "$began") " follow.out
        failed=1
    fi
}

# ---- the test

build
"$reckon" pinglist lab.dc --out lists --paths 2 || exit 1
mkdir -p probes paths
job_runs
for host in h1 h2 h3 h4 h5 h6; do
    for i in 0 1; do start_agent $host/$i; done
done
sleep 2
trace 2>trace.err
cat trace.err
grep -q "^reckon: \([0-9]*\) of \1 legs traced" trace.err || { echo "FAIL: not every leg was traced"; failed=1; }
sleep 6

followed=$(date +%s)
# Follow along; each line gets the time it was printed at.
chrt -r 2 "$reckon" triage lab.dc --probes probes --agents agents.csv --paths paths --follow --period "$period" \
    --silent "$period" --json triage.json >follow.raw 2>follow.err &
follower=$!
tail -n +1 -F --pid=$follower follow.raw 2>/dev/null | python3 -uc '
import sys, time
for line in sys.stdin:
    print(f"{time.time():.2f} {line}", end="", flush=True)' >follow.out &

next_period
next_period # a whole quiet one has gone by
quiet=$began

echo "-- link down: tA to s1"
in_ns tA ip link set s1 down
link=$began
next_period
in_ns tA ip link set s1 up
in_ns tA ip route replace 10.2.0.0/16 nexthop via 10.100.11.2 nexthop via 10.100.12.2
in_ns tA ip route replace 10.3.0.0/16 nexthop via 10.100.11.2 nexthop via 10.100.12.2
in_ns s1 ip route replace 10.1.0.0/16 via 10.100.11.1

next_period
echo "-- a port of s2 drops 30 of 100 packets from tB"
port=$began
in_ns s2 nft -f - <<'NFT'
table ip lab {
    chain lossy {
        type filter hook prerouting priority 0
        iifname "tB" numgen random mod 100 < 30 drop
    }
}
NFT
next_period
in_ns s2 nft delete table ip lab

next_period
echo "-- a blackhole at tC for RNIC h6/1"
hole=$began
in_ns tC ip route add blackhole 10.3.21.2/32
trace_again
next_period
in_ns tC ip route del blackhole 10.3.21.2/32

next_period
echo "-- dead RNIC h3/0"
dead=$began
in_ns h3 nft -f - <<'NFT'
table netdev lab {
    chain dead {
        type filter hook ingress device "rnic0" priority 0
        drop
    }
}
NFT
next_period
in_ns h3 nft delete table netdev lab

next_period
echo "-- the agent of h5/0 restarts"
restart=$began
sleep 1
stop_agent h5/0 KILL
start_agent h5/0

next_period
next_period
echo "-- the CPU of h2 is burnt by a process pinned with its agents"
busy=$began
h2_tasks "taskset -cp $core" "chrt -o -p 0"
sleep $((period / 5))
# the kernel leaves others 50 ms of every second
timeout $((period / 2)) taskset -c "$core" chrt -f 1 sh -c 'while :; do :; done' &
burner=$!
wait $burner
burner=
h2_tasks "taskset -cp $cores" "chrt -r -p 2"
next_period

next_period
echo "-- the agents of h4 stop"
stop_agent h4/0 KILL
stop_agent h4/1 KILL
stopped=$began
next_period
down=$began # the period before is not silent all through when an upload was due at its beginning
next_period
sleep 9

cost() { # what h1/0's agent sends and takes, as words
    python3 - "${agent[h1/0]}" <<'PY'
import os, sys
stat = open(f"/proc/{sys.argv[1]}/stat").read().rsplit(")", 1)[1].split()
tick = os.sysconf("SC_CLK_TCK")
age = float(open("/proc/uptime").read().split()[0]) - int(stat[19]) / tick
cpu = (int(stat[11]) + int(stat[12])) / tick
rss = int(stat[21]) * os.sysconf("SC_PAGE_SIZE") / 1e6
sent = sum(1 for _ in open("probes/h1-0.csv")) - 1
print(f"an agent that sent {sent / age:.0f} probes a second took {100 * cpu / age:.2f} % of a core and {rss:.1f} MB")
PY
}
spent=$(cost)
echo "$spent"

kill -INT $follower
wait $follower
sleep 1
grep -E " (begins|perhaps|over|withdrawn|innocent) " follow.out

began=$link expect SWITCH_PROBLEM s1-tA
began=$port expect SWITCH_PROBLEM s2-tB
began=$hole expect "P2 RNIC_PROBLEM" h6/1
began=$dead expect "P1 RNIC_PROBLEM" h3/0 # the job is on it, and nothing says how fast it goes
began=$restart expect STALE_QPN h5/0
began=$busy expect HOST_BUSY h2
if grep -q " $(iso "$stopped") begins .*HOST_DOWN h4\b" follow.out; then down=$stopped; fi
began=$down expect HOST_DOWN h4
if ! grep -q "^[0-9.]*,service,h1/0,.*,10.1.10.2:40000>10.2.10.2:4791,.*,ok," probes/h1-0.csv; then
    echo "FAIL: the job's connection was not probed"
    failed=1
fi
began=$quiet
if grep -q " $(iso $((began - period))) \(begins\|perhaps\)" follow.out; then
    echo "FAIL: something was named in a quiet period"
    failed=1
fi

late=$(python3 - "$period" "$followed" <<'PY'
import sys, datetime, os
crowd = max(1, os.getloadavg()[0] / os.cpu_count())  # others who want the same cores
period, first = float(sys.argv[1]), {}
for line in open("follow.out"):
    at, start, change = (line.split() + ["", ""])[:3]
    if change in ("begins", "perhaps", "over"):
        first.setdefault(start, float(at))  # what the next period changes is said a period later
worst = 0
for start, at in first.items():
    t = datetime.datetime.strptime(start, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=datetime.timezone.utc).timestamp()
    if t + period + 6 > float(sys.argv[2]):  # it was not due before anybody read along
        worst = max(worst, at - (t + period + 6))
print(f"the judgement of a period was printed at most {worst:.2f} s after its grace")
sys.exit(worst > crowd)
PY
) || failed=1
echo "$late"
if [ $failed != 0 ]; then
    echo "some faults were missed; records are in $folder"
    exit 1
fi
echo "all faults named"
[ -z "${FULL:-}" ] || "$tests/measured.py" tests/lab_triage.sh <<TEXT
Two spines, three ToRs, six hosts and twelve agents in network namespaces, and seven faults really made: a cable taken down, a
port that drops 30 of 100 packets, a blackhole route, a dead RNIC, an agent restarted, a host's CPU burnt, a host's agents stopped.
Each was named in its own period and nothing in a quiet one; $late; $spent.
TEXT
