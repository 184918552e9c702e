"""A one-node OpenStack Swift with its S3 interface: FOLDER PROXY ACCOUNT CONTAINER OBJECT CACHE (the last five are
ports). Creates the rings in FOLDER, beside the configuration, and runs the servers and memcached until one of them
ends. The kernel kills all of them when the process that started this one ends."""

import ctypes
import os
import sys

from swift.common import utils

folder = sys.argv[1]
ports = dict(zip(('proxy', 'account', 'container', 'object'), map(int, sys.argv[2:6])))
# The servers would read /etc/swift/swift.conf by default.
utils.set_swift_dir(folder)

from swift.common.ring.builder import RingBuilder  # noqa: E402
from swift.common.wsgi import run_wsgi  # noqa: E402


def end_with_parent():
    PR_SET_PDEATHSIG = 1
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, 9)


def begin(run):
    if os.fork() == 0:
        end_with_parent()
        os._exit(run())


end_with_parent()
for kind in ('account', 'container', 'object'):
    builder = RingBuilder(4, 1, 0)
    device = {'ip': '127.0.0.1', 'port': ports[kind], 'device': 'disk', 'weight': 1, 'region': 1, 'zone': 1}
    builder.add_dev({**device, 'replication_ip': device['ip'], 'replication_port': device['port'], 'meta': ''})
    builder.rebalance()
    builder.get_ring().save(os.path.join(folder, kind + '.ring.gz'))

begin(lambda: os.execv('/usr/bin/memcached', ['memcached', '-l', '127.0.0.1', '-p', sys.argv[6], '-U', '0', '-m', '16']))
for kind in ports:
    begin(lambda: run_wsgi(os.path.join(folder, kind + '-server.conf'), kind + '-server'))
os.wait()
