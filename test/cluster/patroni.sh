#!/bin/bash
# patroni.sh up|lead|health|kill N|start N|pause N|resume N|cut N|heal N|fill N|free N|postmaster N|clock N SECONDS|now N|renew N|down   (root; DATA=… NET=10.99.0)
# Three machines, each a network namespace with etcd 3.4, Patroni and PostgreSQL 15; clients are on NET.254. `kill` and `pause`
# affect the whole machine; `cut` separates the machine from the other machines, but not from its clients. Each machine has a small
# disk and its own clock. Only PostgreSQL uses this clock: libfaketime breaks the sleeps of Patroni and does not work with Go (etcd).
set -u; : "${DATA:?}"; NET=${NET:-10.99.0}; PGBIN=${PGBIN:-/usr/lib/postgresql/15/bin}; P=${PFX:-cms}
IC="e1=http://$NET.1:2380,e2=http://$NET.2:2380,e3=http://$NET.3:2380"
ns(){ local i=$1; shift; setsid ip netns exec $P$i nice -n ${NICE:-0} "$@"; }
# Uses the v2 API, because with etcd3 the Patroni of Debian 12 loses acknowledged commits (docs/cluster.md).
etcd_(){ ns $1 etcd --name e$1 --data-dir $DATA/e$1 --enable-v2=true --listen-client-urls http://$NET.$1:2379 \
  --advertise-client-urls http://$NET.$1:2379 --listen-peer-urls http://$NET.$1:2380 --initial-advertise-peer-urls http://$NET.$1:2380 \
  --initial-cluster $IC --initial-cluster-token cms --initial-cluster-state new >>$DATA/e$1.log 2>&1 </dev/null 9>&- & }
clock(){ echo "$2" >$DATA/clock$1; }
# Uses the library without locks, because PostgreSQL reads the time in its signal handlers.
programs(){ mkdir -p $DATA/b$1; ln -s $PGBIN/* $DATA/b$1/; rm $DATA/b$1/postgres; clock $1 +0
 cat >$DATA/b$1/postgres <<Y
#!/bin/sh
exec env LD_PRELOAD=/usr/lib/$(uname -m)-linux-gnu/faketime/libfaketime.so.1 FAKETIME_TIMESTAMP_FILE=$DATA/clock$1 \
 FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1 $PGBIN/postgres "\$@"
Y
 chmod 755 $DATA/b$1/postgres; }
patroni_(){ ns $1 setpriv --reuid=postgres --regid=postgres --init-groups env HOME=$DATA patroni $DATA/p$1.yml >>$DATA/p$1.log 2>&1 </dev/null 9>&- & }
up(){ set -e; mkdir -p $DATA; chown postgres $DATA
ip link add ${P}br type bridge; ip link set ${P}br up; ip addr add $NET.254/24 dev ${P}br
for i in 1 2 3; do
 ip netns add $P$i; ip link add ${P}v$i type veth peer name eth0 netns $P$i; ip link set ${P}v$i master ${P}br up
 ip -n $P$i addr add $NET.$i/24 dev eth0; ip -n $P$i link set eth0 up; ip -n $P$i link set lo up
 # The directory is outside the data of PostgreSQL, because a base backup would copy its lock file.
 mkdir -p $DATA/s$i $DATA/m$i; mount -t tmpfs -o size=2g tmpfs $DATA/m$i; chown postgres $DATA/s$i $DATA/m$i
 cat >$DATA/p$i.yml <<Y
scope: cms
namespace: /db/
name: p$i
restapi: {listen: "$NET.$i:8008", connect_address: "$NET.$i:8008"}
etcd: {hosts: "$NET.1:2379,$NET.2:2379,$NET.3:2379"}
bootstrap:
  dcs: {ttl: 6, loop_wait: 1, retry_timeout: 2, maximum_lag_on_failover: 1048576, primary_start_timeout: 0, synchronous_mode: true,
    postgresql: {use_pg_rewind: true, use_slots: true, parameters: {max_connections: 60, shared_buffers: 64MB, wal_level: replica,
      hot_standby: "on", wal_log_hints: "on", wal_keep_size: 128MB, max_wal_size: 256MB, wal_sender_timeout: 5s, wal_receiver_timeout: 5s,
      tcp_keepalives_idle: 2, tcp_keepalives_interval: 1, tcp_keepalives_count: 3, tcp_user_timeout: 4000}}}
  initdb: [{encoding: UTF8}, data-checksums, {locale: C.UTF-8}]
  pg_hba: ["host replication rep $NET.0/24 scram-sha-256", "host all all $NET.0/24 scram-sha-256"]
postgresql: {listen: "$NET.$i:5432", connect_address: "$NET.$i:5432", data_dir: $DATA/m$i/pg, bin_dir: $DATA/b$i, pgpass: $DATA/pgpass$i,
  remove_data_directory_on_rewind_failure: true, remove_data_directory_on_diverged_timelines: true,
  authentication: {superuser: {username: postgres, password: s3cret}, replication: {username: rep, password: s3cret}, rewind: {username: rewind, password: s3cret}},
  parameters: {unix_socket_directories: "$DATA/s$i"}}
Y
 chown postgres $DATA/p$i.yml; programs $i; etcd_ $i; done
sleep 1; for i in 1 2 3; do patroni_ $i; done; set +e; health; }
code(){ curl -s -o /dev/null -m 1 -w '%{http_code}' http://$NET.$1:8008/$2 || true; }
# Prints the streaming standbys of the machine; with a second argument, only standbys with this sync state.
following(){ curl -s -m 1 http://$NET.$1:8008/patroni | python3 -c '
import json, sys
for r in json.load(sys.stdin).get("replication", []):
  if r["state"] == "streaming" and r["sync_state"] in (sys.argv[1:] or ["sync", "async", "potential", "quorum"]): print(r["application_name"])' ${2:-} 2>/dev/null; true; }
# Waits until all three machines are healthy: both standbys stream, and one of them is synchronous. A standby that cannot catch up,
# because its primary has removed the needed WAL, is recreated, as an operator would do.
health(){ for k in $(seq 1 240); do s=0; L=$(lead | head -1); for i in 1 2 3; do [ "$(code $i health)" = 200 ] && s=$((s+1)); done
 if [ -n "$L" ]; then F=$(following $L); [ $s = 3 ] && [ $(echo "$F" | grep -c p) = 2 ] && [ -n "$(following $L sync)" ] && return 0
  if [ $k = 80 ] || [ $k = 160 ]; then for i in 1 2 3; do [ $i = $L ] || echo "$F" | grep -q p$i || renew $i; done; fi; fi; sleep 0.5; done
 for i in 1 2 3; do echo "machine $i: $(df --output=avail -h $DATA/m$i | tail -1) free"; tail -n 8 $DATA/p$i.log; done >&2; return 1; }
# Works like `patronictl reinit`; if Patroni refuses, the directory is removed.
renew(){ echo "machine $1 is made anew: $(grep -hE 'already been removed|FATAL|ERROR' $DATA/p$1.log | tail -1)"
 [ "$(curl -s -o /dev/null -m 5 -w '%{http_code}' -d '{"force":true}' http://$NET.$1:8008/reinitialize)" = 200 ] && return 0
 kill -9 $(pids $1) 2>/dev/null; sleep 0.5; rm -rf $DATA/m$1/pg; start $1; }
start(){ etcd_ $1; patroni_ $1; }
# The time of the clock of its PostgreSQL in seconds since 1970.
now(){ PGPASSWORD=s3cret PGCONNECT_TIMEOUT=3 $PGBIN/psql -h $NET.$1 -U postgres -Atc 'select extract(epoch from clock_timestamp())::bigint' postgres; }
lead(){ for i in 1 2 3; do [ "$(code $i primary)" = 200 ] && echo $i; done; true; }
pids(){ ip netns pids $P$1 2>/dev/null; }
# A link outlives its namespace until the last process of the namespace is gone.
down(){ [ -z "${CMS_RIG_OUT:-}" ] || cp $DATA/p?.log $CMS_RIG_OUT/ 2>/dev/null
 for i in 1 2 3; do for x in $(pids $i); do kill -9 $x 2>/dev/null; done; done
 for i in 1 2 3; do for k in $(seq 1 50); do [ -z "$(pids $i)" ] && break; sleep 0.1; done; ip link del ${P}v$i 2>/dev/null; ip netns del $P$i 2>/dev/null; done
 for i in 1 2 3; do umount -l $DATA/m$i 2>/dev/null; done; ip link del ${P}br 2>/dev/null; true; }
case $1 in up) up;; lead) lead;; health) health;; down) down;;
 kill) kill -9 $(pids $2);; start) start $2;; clock) clock $2 "$3";; now) now $2;; renew) renew $2;; pause) kill -STOP $(pids $2);; resume) kill -CONT $(pids $2);;
 fill) dd if=/dev/zero of=$DATA/m$2/filler bs=1M 2>/dev/null; true;; free) rm -f $DATA/m$2/filler;;
 postmaster) kill -9 $(head -1 $DATA/m$2/pg/postmaster.pid);;
 cut)  for j in 1 2 3; do [ $j = $2 ] || ip -n $P$2 route add blackhole $NET.$j; done;;
 heal) for j in 1 2 3; do [ $j = $2 ] || ip -n $P$2 route del blackhole $NET.$j; done;; esac
