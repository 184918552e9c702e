import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../../src/core/config/config.ts'
import { secretNames } from '../../src/core/config/environment.ts'

const project = fileURLToPath(new URL('../../../..', import.meta.url))
const read = (path: string) => readFile(join(project, path), 'utf8')

interface Service {
  image: string
  entrypoint?: string[]
  user?: string
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  ports?: string[]
  privileged?: boolean
  environment?: Record<string, string>
  secrets?: string[]
  networks?: string[]
  healthcheck?: object
  volumes?: string[]
  stop_grace_period?: string
  deploy?: { resources: { limits: { memory: string } } }
  depends_on?: Record<string, { condition: string }>
}
interface Compose {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  networks: Record<string, { internal?: boolean }>
  volumes: Record<string, object>
}

const readCompose = async () => parse(await read('deploy/compose.yaml'), { merge: true }) as Compose
const apps = ['app1', 'app2']

/** Every environment variable that the configuration reads. */
function knownNames(): Set<string> {
  const asked = new Set<string>()
  const env = new Proxy<Record<string, string | undefined>>({}, { get: (_env, name) => void asked.add(String(name)) })
  loadConfig(env)
  return asked
}

const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1])

test('every service of compose.yaml is confined, pinned, and reached through Caddy alone', async () => {
  const { services, networks } = await readCompose()
  expect(Object.keys(services).toSorted()).toEqual(['app1', 'app2', 'bucket', 'caddy', 'postgres', 's3', 'valkey'])
  for (const [name, service] of Object.entries(services)) {
    expect(service, name).toMatchObject({ read_only: true, cap_drop: ['ALL'] })
    expect(service.security_opt, name).toEqual(['no-new-privileges:true'])
    expect(service.privileged, name).toBeUndefined()
    // The server's own image is built locally, and has no digest in advance.
    expect(service.image, name).toMatch(apps.includes(name) ? /:[\d.]+$/ : /:[\d.]+@sha256:[0-9a-f]{64}$/)
    expect(service.deploy?.resources.limits.memory, name).toMatch(/^\d+[mg]$/)
    if (name !== 'caddy') expect(service.ports, name).toBeUndefined()
    if (![...apps, 'bucket'].includes(name)) expect(service.healthcheck, name).toBeDefined()
  }
  expect(services['caddy']?.ports).toEqual(['80:80', '443:443'])
  expect(networks['back']?.internal).toBe(true)
  for (const name of ['postgres', 'valkey', 's3']) expect(services[name]?.networks, name).toEqual(['back'])
  expect(services['caddy']?.networks).toEqual(['front'])
})

test('processes in compose.yaml get known variables, no root and no secret in the environment', async () => {
  const { services, secrets } = await readCompose()
  const known = knownNames()
  for (const name of apps) {
    const {
      environment = {},
      user,
      secrets: mounted = [],
      volumes,
      stop_grace_period: grace,
    } = services[name] as Service
    expect(user).toBe('1000:1000')
    expect(volumes).toBeUndefined()
    expect(Object.keys(environment).filter((each) => !known.has(each))).toEqual([])
    for (const secret of secretNames) expect(environment[secret], secret).toBeUndefined()
    const files = Object.entries(environment).filter(([each]) => each.endsWith('_FILE'))
    expect(files.map(([, path]) => path.replace('/run/secrets/', '')).toSorted()).toEqual(mounted.toSorted())
    expect(seconds(grace)).toBeGreaterThan(seconds(environment['DRAIN_DELAY']) + seconds(environment['DRAIN_TIME']) + 2)
  }
  const used = Object.values(services).flatMap((service) => service.secrets ?? [])
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(secrets).toSorted())
  for (const { file } of Object.values(secrets)) expect(file).toMatch(/^\.\/secrets\/\w+$/)
})

test('makeSecrets.sh creates every secret of compose.yaml once, random and valid', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-secrets-'))
  await cp(join(project, 'deploy', 'makeSecrets.sh'), join(folder, 'makeSecrets.sh'))
  const make = () => promisify(execFile)('sh', [join(folder, 'makeSecrets.sh')])
  const all = async () => {
    const names = (await readdir(join(folder, 'secrets'))).toSorted()
    const texts = await Promise.all(names.map((name) => readFile(join(folder, 'secrets', name), 'utf8')))
    return Object.fromEntries(names.map((name, at) => [name, texts[at] as string]))
  }
  await make()
  const made = await all()
  const { secrets } = await readCompose()
  expect(Object.keys(made)).toEqual(Object.keys(secrets).toSorted())
  expect(new Set(Object.values(made)).size).toBe(Object.keys(made).length)
  expect((await stat(join(folder, 'secrets'))).mode & 0o777).toBe(0o700)
  const random = [
    'server_secret',
    'founder_password',
    'metrics_token',
    'postgres_password',
    'database_password',
    'valkey_password',
  ]
  for (const name of random) expect(made[name], name).toMatch(/^[0-9a-f]{64}$/)
  expect(new URL(made['database_url'] as string).password).toBe(made['database_password'])
  expect(new URL(made['valkey_url'] as string).password).toBe(made['valkey_password'])
  const { identities } = JSON.parse(made['s3_config'] as string) as { identities: object[] }
  const keys = { accessKey: made['s3_access_key_id'], secretKey: made['s3_secret_access_key'] }
  // No Admin rights, which include creating and deleting buckets, and no other bucket.
  const actions = ['Read:privity', 'Write:privity', 'List:privity']
  expect(identities).toEqual([{ name: 'privity', credentials: [keys], actions }])
  const files = ['SERVER_SECRET', 'FOUNDER_PASSWORD', 'METRICS_TOKEN'] as const
  const env = Object.fromEntries(
    files.map((name) => [`${name}_FILE`, join(folder, 'secrets', name.toLowerCase())]),
  ) as Record<string, string>
  expect(loadConfig(env).serverSecret).toBe(made['server_secret'])
  await make()
  expect(await all()).toEqual(made)
  await rm(folder, { recursive: true })
})

test('the superuser of PostgreSQL is known to its own service alone', async () => {
  const { services } = await readCompose()
  const { environment = {}, volumes = [] } = services['postgres'] as Service
  // The superuser keeps the image's default name; postgres.sql creates the server's role.
  expect(environment).not.toHaveProperty('POSTGRES_USER')
  expect(volumes).toContain('./postgres.sql:/docker-entrypoint-initdb.d/privity.sql:ro')
  const holders = Object.entries(services).filter(([, { secrets = [] }]) => secrets.includes('postgres_password'))
  expect(holders.map(([name]) => name)).toEqual(['postgres'])
})

test('makeSecrets.sh leaves alone what is there, and makes what is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-secrets-'))
  await cp(join(project, 'deploy', 'makeSecrets.sh'), join(folder, 'makeSecrets.sh'))
  await mkdir(join(folder, 'secrets'))
  await writeFile(join(folder, 'secrets', 'database_password'), 'of-before')
  await promisify(execFile)('sh', [join(folder, 'makeSecrets.sh')])
  expect(await readFile(join(folder, 'secrets', 'database_url'), 'utf8')).toContain('privity:of-before@postgres')
  await rm(folder, { recursive: true })
})

test('the bucket service ends with 0 only where the bucket is, and makes none where it is', async () => {
  const { services } = await readCompose()
  const [shell = '', ...args] = (services['bucket']?.entrypoint ?? []).map((word) => word.replaceAll('$$', '$'))
  const folder = await mkdtemp(join(tmpdir(), 'privity-weed-'))
  // A fake of SeaweedFS's shell, which exits with 0 regardless of the result.
  const weed = `#!/bin/sh
cd '${folder}'
read -r said
echo "$said" >> said
case "$said" in
  s3.bucket.list) cat buckets ;;
  's3.bucket.create -name privity') [ -e fails ] || echo '  privity\tsize:0\tlogical:0\tchunk:0' > buckets ;;
esac
true
`
  await writeFile(join(folder, 'weed'), weed, { mode: 0o755 })
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH']}` }
  const run = async (buckets: string) => {
    await Promise.all([writeFile(join(folder, 'buckets'), buckets), writeFile(join(folder, 'said'), '')])
    const ended = promisify(execFile)(shell, args, { env })
    const code = await ended.then(
      () => 0,
      (error: { code: number }) => error.code,
    )
    return { code, created: (await readFile(join(folder, 'said'), 'utf8')).includes('create') }
  }
  expect(await run('')).toEqual({ code: 0, created: true })
  expect(await run('  other\tsize:0\n  privity\tsize:9\n')).toEqual({ code: 0, created: false })
  await writeFile(join(folder, 'fails'), '')
  expect(await run('  privity-too\tsize:0\n')).toEqual({ code: 1, created: true })
  await rm(folder, { recursive: true })
})

test('the images are of the version of Node and of the server that the project is', async () => {
  const lock = JSON.parse(await read('package-lock.json')) as { packages: Record<string, { version: string }> }
  const { version } = JSON.parse(await read('package.json')) as { version: string }
  expect(await read('Dockerfile')).toContain(
    `ARG NODE_IMAGE=node:${lock.packages['node_modules/node']?.version}-slim@sha256:`,
  )
  // The build would download a syntax image under a mutable tag.
  expect(await read('Dockerfile')).not.toMatch(/^#\s*syntax\s*=/m)
  const { services } = await readCompose()
  for (const name of apps) expect(services[name]?.image).toBe(`privity:${version}`)
  expect(await read('deploy/kubernetes/privity.yaml')).toContain(`/privity:${version}\n`)
})
