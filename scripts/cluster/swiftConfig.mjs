import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Long timeouts for a busy machine: by default, the proxy avoids a server for a minute after one late response. */
const longTimeouts = { conn_timeout: 10, node_timeout: 60, error_suppression_limit: 1_000_000 }

const section = (name, values) =>
  `[${name}]\n${Object.entries(values)
    .map(([key, value]) => `${key} = ${value}\n`)
    .join('')}\n`

const pipeline = 'catch_errors gatekeeper cache listing_formats s3api tempauth bulk slo proxy-server'

function proxySections(common, { memcached, keys }) {
  const [account, user] = keys.accessKeyId.split(':')
  return [
    section('DEFAULT', common),
    section('pipeline:main', { pipeline }),
    section('app:proxy-server', { use: 'egg:swift#proxy', account_autocreate: 'true', ...longTimeouts }),
    section('filter:cache', { use: 'egg:swift#memcache', memcache_servers: `127.0.0.1:${memcached}` }),
    section('filter:s3api', { use: 'egg:swift#s3api', location: keys.region, allow_no_owner: 'true' }),
    section('filter:tempauth', {
      use: 'egg:swift#tempauth',
      [`user_${account}_${user}`]: `${keys.secretAccessKey} .admin`,
    }),
    ...['catch_errors', 'gatekeeper', 'listing_formats', 'bulk', 'slo'].map((name) =>
      section(`filter:${name}`, { use: `egg:swift#${name}` }),
    ),
  ]
}

const storeSections = (kind, common) => [
  section('DEFAULT', common),
  section('pipeline:main', { pipeline: `${kind}-server` }),
  section(`app:${kind}-server`, { use: `egg:swift#${kind}`, conn_timeout: 10, node_timeout: 60 }),
]

/** Writes the files that oneSwift.py reads: one device in `folder`/devices, no replicas, everything on loopback. */
export async function writeSwiftConfig(folder, { ports, memcached, user, keys }) {
  const common = (port) => ({
    bind_ip: '127.0.0.1',
    bind_port: port,
    workers: 0,
    user,
    swift_dir: folder,
    devices: join(folder, 'devices'),
    mount_check: 'false',
    fallocate_reserve: 0,
    log_level: 'WARNING',
  })
  const files = {
    'swift.conf': [
      section('swift-hash', { swift_hash_path_suffix: 'private', swift_hash_path_prefix: 'private' }),
      section('storage-policy:0', { name: 'Policy-0', default: 'yes' }),
    ],
    'proxy-server.conf': proxySections(common(ports.proxy), { memcached, keys }),
    ...Object.fromEntries(
      ['account', 'container', 'object'].map((kind) => [
        `${kind}-server.conf`,
        storeSections(kind, common(ports[kind])),
      ]),
    ),
  }
  for (const [name, sections] of Object.entries(files)) await writeFile(join(folder, name), sections.join(''))
}
