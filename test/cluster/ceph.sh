#!/bin/bash
# ceph.sh up|down|health|kill X|start X|pause X|resume X|cut X|heal X|fill osd.N|free osd.N|clock X SECONDS|clock X|now X|c <ceph args>
# (X is osd.N or rgw.N; DATA=… NOSD=3 B=26700 R=26780)
# Ceph on one machine: 1 monitor, 1 manager, 3 OSDs, 2 gateways. Endpoints 127.0.0.1:R+1 and R+2, keys AKIDTEST and SECRETTEST.
# Each OSD and gateway has its own group; `cut` adds a rule of nftables that drops all packets of the group.
# `clock X SECONDS` gives X its own clock from its next start on, and shifts the clock by the seconds. Without seconds, X uses the
# clock of the machine from its next start on.
set -eu; : "${DATA:?}"; NOSD=${NOSD:-3}; B=${B:-26700}; R=${R:-26780}; MIN=$(( NOSD>1 ? 2 : 1 ))
export CEPH_CONF=$DATA/ceph.conf; C="ceph -c $DATA/ceph.conf -n client.admin -k $DATA/client.admin.keyring --connect-timeout 20"
group(){ case $1 in osd.*) echo $((64820+${1#osd.}));; rgw.*) echo $((64830+${1#rgw.}));; *) echo 0;; esac; }
table(){ echo cms_cut_${1/./_}; }
FAKE=/usr/lib/$(uname -m)-linux-gnu/faketime/libfaketimeMT.so.1
clocked(){ [ -e $DATA/clock.$1 ] && echo env LD_PRELOAD=$FAKE FAKETIME_TIMESTAMP_FILE=$DATA/clock.$1 FAKETIME_CACHE_DURATION=1 FAKETIME_DONT_FAKE_MONOTONIC=1 DONT_FAKE_MONOTONIC=1; true; }
spawn(){ local n=$1; shift; setsid nice -n ${NICE:-0} setpriv --regid=$(group $n) --clear-groups $(clocked $n) "$@" >>$DATA/log/$n.out 2>&1 </dev/null 9>&- & echo $! >$DATA/pid/$n; }
start(){ case $1 in osd.*) spawn $1 ceph-osd -c $CEPH_CONF -i ${1#osd.} -f;; rgw.*) spawn $1 radosgw -c $CEPH_CONF -n client.$1 -k $DATA/client.$1.keyring -f;; esac; }
up(){ mkdir -p $DATA/{pid,log,mon,mgr}; local F=$(cat /proc/sys/kernel/random/uuid)
cat >$CEPH_CONF <<Y
[global]
fsid=$F
mon_host=[v2:127.0.0.1:$B]
mon_initial_members=a
keyring=$DATA/\$name.keyring
run_dir=$DATA
admin_socket=$DATA/\$name.asok
log_file=$DATA/log/\$name.log
crash_dir=$DATA/crash
ms_bind_msgr1=false
public_addr=127.0.0.1
cluster_addr=127.0.0.1
osd_crush_chooseleaf_type=0
osd_pool_default_size=$NOSD
osd_pool_default_min_size=$MIN
osd_pool_default_pg_num=8
osd_pool_default_pgp_num=8
osd_pool_default_pg_autoscale_mode=off
mon_max_pg_per_osd=500
mon_allow_pool_size_one=true
mon_data_avail_warn=1
mon_data_avail_crit=1
osd_heartbeat_interval=1
osd_heartbeat_grace=4
mon_osd_min_down_reporters=1
[mon]
mon_data=$DATA/mon
[mgr]
mgr_data=$DATA/mgr
[osd]
osd_data=$DATA/osd.\$id
keyring=$DATA/osd.\$id/keyring
osd_objectstore=bluestore
bluestore_block_create=true
bluestore_block_size=6442450944
osd_memory_target=939524096
osd_recovery_sleep=0
[client]
rgw_thread_pool_size=32
Y
for n in 1 2; do printf "[client.rgw.$n]\nrgw_frontends=beast endpoint=127.0.0.1:$((R+n))\n" >>$CEPH_CONF; done
A=$DATA/client.admin.keyring; M=$DATA/mon.keyring
ceph-authtool --create-keyring $M --gen-key -n mon. --cap mon 'allow *'
ceph-authtool --create-keyring $A --gen-key -n client.admin --cap mon 'allow *' --cap osd 'allow *' --cap mgr 'allow *'
ceph-authtool $M --import-keyring $A
monmaptool --create --addv a "[v2:127.0.0.1:$B]" --fsid $F $DATA/monmap; ceph-mon -c $CEPH_CONF --mkfs -i a --monmap $DATA/monmap --keyring $M; cp $M $DATA/mon/keyring
spawn mon.a ceph-mon -c $CEPH_CONF -i a -f; $C config set mon auth_allow_insecure_global_id_reclaim false
$C auth get-or-create mgr.x mon 'allow profile mgr' osd 'allow *' -o $DATA/mgr.x.keyring; spawn mgr.x ceph-mgr -c $CEPH_CONF -i x -f
for i in $(seq 0 $((NOSD-1))); do U=$(cat /proc/sys/kernel/random/uuid); mkdir -p $DATA/osd.$i; $C osd new $U $i
 $C auth get-or-create osd.$i mon 'allow profile osd' mgr 'allow profile osd' osd 'allow *' -o $DATA/osd.$i/keyring
 ceph-osd -c $CEPH_CONF -i $i --mkfs --osd-uuid $U --no-mon-config; $C osd crush add osd.$i 1.0 root=default; start osd.$i; done
for n in 1 2; do $C auth get-or-create client.rgw.$n mon 'allow rw' osd 'allow rwx' mgr 'allow rw' -o $DATA/client.rgw.$n.keyring; done
radosgw-admin -c $CEPH_CONF user create --uid cms --display-name cms --access-key AKIDTEST --secret-key SECRETTEST
for n in 1 2; do start rgw.$n; for k in $(seq 1 200); do [ "$(curl -s -o /dev/null -m 1 -w '%{http_code}' http://127.0.0.1:$((R+n))/ || true)" = 200 ] && break; sleep 0.2; done; done; }
# Waits until all OSDs are up with all copies and no OSD is full.
health(){ for k in $(seq 1 120); do $C status -f json 2>/dev/null | python3 -c '
import json, sys
s = json.load(sys.stdin); o = s["osdmap"]; c = s["health"]["checks"]
sys.exit(o["num_up_osds"] < o["num_osds"] or any("FULL" in n for n in c) or any(p["state_name"] != "active+clean" for p in s["pgmap"]["pgs_by_state"]))' && return 0; sleep 0.5; done
 $C -s >&2; return 1; }
# The time of its clock in seconds since 1970: from the answer of a gateway, or from the log of an OSD.
now(){ case $1 in rgw.*) date +%s -d "$(curl -sI -m 5 http://127.0.0.1:$((R+${1#rgw.}))/ | sed -n 's/^Date: //Ip' | tr -d '\r')";;
 osd.*) for v in 1/5 0/5; do ceph --admin-daemon $DATA/$1.asok config set debug_osd $v >/dev/null 2>&1 || true; done
  ceph --admin-daemon $DATA/$1.asok log flush >/dev/null 2>&1 || true; date +%s -d "$(tail -n 50 $DATA/log/$1.log | grep -aoE '^20[0-9-]+T[0-9:]+' | tail -1)";; esac; }
down(){ for t in $(nft list tables 2>/dev/null | sed -n 's/table inet \(cms_cut_.*\)/\1/p'); do nft delete table inet $t; done
 for g in rgw osd mgr mon; do for f in $DATA/pid/$g.*; do p=$(cat $f); kill $p 2>/dev/null || continue; for k in $(seq 1 60); do kill -0 $p 2>/dev/null || break; sleep 0.1; done; kill -9 $p 2>/dev/null || true; done; done; }
case $1 in up) up >$DATA.log 2>&1;; down) down;; kill) kill -9 $(cat $DATA/pid/$2);; pause) kill -STOP $(cat $DATA/pid/$2);; resume) kill -CONT $(cat $DATA/pid/$2);; start) start $2;; health) health;; now) now $2;;
 cut) T=$(table $2); nft "add table inet $T; add chain inet $T out { type filter hook output priority 0; }; add rule inet $T out meta skgid $(group $2) drop";;
 heal) nft delete table inet $(table $2);;
 fill) $C tell $2 injectfull full;; free) $C tell $2 injectfull none;;
 clock) if [ -n "${3:-}" ]; then echo "$3" >$DATA/clock.$2; else rm -f $DATA/clock.$2; fi;;
 c) shift; $C "$@";; esac
