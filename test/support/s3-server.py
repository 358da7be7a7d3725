"""OpenStack Swift with its S3 interface, from Debian's packages, in one process. It checks every signature.

/usr/bin/python3 s3-server.py FOLDER ADDRESS:PORT ACCOUNT:USER SECRET prints "ready" once it answers, and ends with its input.
"""
import eventlet
eventlet.monkey_patch()

import os
import sys
import eventlet.wsgi
from eventlet.green.os import read
from swift.common import storage_policy, utils
from swift.common.ring import RingBuilder
from swift.common.wsgi import loadapp

home, address, key, secret = sys.argv[1:]
host, port = address.split(':')


def write(name, text):
    with open(f'{home}/{name}', 'w') as file:
        file.write(text)


os.makedirs(f'{home}/devices/one', exist_ok=True)
write('swift.conf', '[swift-hash]\nswift_hash_path_suffix = s\n[storage-policy:0]\nname = one\ndefault = yes\n')
utils.SWIFT_CONF_FILE = f'{home}/swift.conf'
utils.validate_hash_conf()
storage_policy.reload_storage_policies()

COMMON = f'[DEFAULT]\nswift_dir = {home}\ndevices = {home}/devices\nmount_check = false\nfallocate_reserve = 0\n[pipeline:main]\n'
listeners = {'proxy': eventlet.listen((host, int(port)))}
for kind in ('account', 'container', 'object'):
    listeners[kind] = eventlet.listen(('127.0.0.1', 0))
    place = {'ip': '127.0.0.1', 'port': listeners[kind].getsockname()[1]}
    ring = RingBuilder(0, 1, 0)
    ring.add_dev({'region': 1, 'zone': 1, 'device': 'one', 'weight': 1, **place})
    ring.rebalance()
    ring.get_ring().save(f'{home}/{kind}.ring.gz')
    write(f'{kind}.conf', f'{COMMON}pipeline = {kind}-server\n[app:{kind}-server]\nuse = egg:swift#{kind}\n')
write('proxy.conf', COMMON + f'''pipeline = catch_errors cache s3api tempauth proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
conn_timeout = 20
node_timeout = 30
error_suppression_limit = 1000000
error_suppression_interval = 1
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
max_bucket_listing = 10
[filter:tempauth]
use = egg:swift#tempauth
user_{key.replace(':', '_')} = {secret} .admin
''')
quiet = open(os.devnull, 'w')
for kind, listener in listeners.items():
    eventlet.spawn(eventlet.wsgi.server, listener, loadapp(f'{home}/{kind}.conf'), log=quiet)
print('ready', flush=True)
os.set_blocking(0, False)
while read(0, 1):
    pass
