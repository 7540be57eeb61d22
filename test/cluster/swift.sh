#!/bin/bash
# swift.sh up|down     (DATA=… B=26600): OpenStack Swift with s3api, 3 storage nodes on one machine and 2 proxies
# Endpoints 127.0.0.1:B+81 and B+82, key test:tester, secret testing.
set -eu; : "${DATA:?}"; B=${B:-26600}
spawn(){ local n=$1; shift; setsid nice -n 5 "$@" >>"$DATA/log/$n.out" 2>&1 </dev/null 9>&- & echo $! >"$DATA/pid/$n"; }
up(){ mkdir -p "$DATA"/{pid,log,etc,run}; chmod 755 "$DATA"; chown -R swift "$DATA"
printf '[swift-hash]\nswift_hash_path_suffix = a\nswift_hash_path_prefix = b\n' >"$DATA/etc/swift.conf"
printf '[storage-policy:0]\nname = one\ndefault = yes\n' >>"$DATA/etc/swift.conf"
local o=0 s i n
for s in object container account; do
  swift-ring-builder "$DATA/etc/$s.builder" create 6 3 0
  for i in 1 2 3; do swift-ring-builder "$DATA/etc/$s.builder" add r1z$i-127.0.0.1:$((B+i*10+o))/d1 1; done
  swift-ring-builder "$DATA/etc/$s.builder" rebalance; o=$((o+1)); done
for i in 1 2 3; do o=0; mkdir -p "$DATA/n$i/d1"
  for s in object container account; do
    cat >"$DATA/etc/$s$i.conf" <<Y
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $((B+i*10+o))
workers = 0
swift_dir = $DATA/etc
devices = $DATA/n$i
mount_check = false
user = swift
log_address = /nonexistent
[pipeline:main]
pipeline = $s-server
[app:$s-server]
use = egg:swift#$s
Y
    o=$((o+1)); done; done
for n in 1 2; do cat >"$DATA/etc/proxy$n.conf" <<Y
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $((B+80+n))
workers = 0
swift_dir = $DATA/etc
user = swift
log_address = /nonexistent
[pipeline:main]
pipeline = catch_errors gatekeeper proxy-logging cache s3api tempauth bulk slo dlo symlink versioned_writes proxy-logging proxy-server
[app:proxy-server]
use = egg:swift#proxy
node_timeout = 3
conn_timeout = 0.5
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:proxy-logging]
use = egg:swift#proxy_logging
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:9
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:bulk]
use = egg:swift#bulk
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:symlink]
use = egg:swift#symlink
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_versioned_writes = true
Y
done
chown -R swift "$DATA"
export SWIFT_CONF=$DATA/etc/swift.conf
for i in 1 2 3; do for s in object container account; do spawn $s$i swift-$s-server "$DATA/etc/$s$i.conf"; done; done
for n in 1 2; do spawn proxy$n swift-proxy-server "$DATA/etc/proxy$n.conf"; done
for n in 1 2; do for i in $(seq 1 200); do
  [ "$(curl -s -o /dev/null -m 1 -w '%{http_code}' http://127.0.0.1:$((B+80+n))/healthcheck || true)" != 000 ] && break; sleep 0.2; done; done; }
down(){ local f p k; for f in "$DATA"/pid/*; do p=$(cat "$f"); kill -- -$p 2>/dev/null || kill $p 2>/dev/null || true; done; sleep 1
 for f in "$DATA"/pid/*; do p=$(cat "$f"); kill -9 -- -$p 2>/dev/null || true; done; }
case $1 in up) up >"$DATA.log" 2>&1;; down) down;; esac
