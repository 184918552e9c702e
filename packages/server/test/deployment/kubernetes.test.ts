import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { loadConfig } from '../../src/core/config/config.ts'
import { secretNames } from '../../src/core/config/environment.ts'

const deploy = fileURLToPath(new URL('../../../../deploy', import.meta.url))

interface Probe {
  httpGet: { path: string; port: string }
}
interface Container {
  image: string
  ports: { name: string; containerPort: number }[]
  envFrom: { configMapRef: { name: string } }[]
  env: { name: string; value: string }[]
  securityContext: object
  resources: { requests: object; limits: object }
  readinessProbe: Probe
  livenessProbe: Probe
  startupProbe: Probe
  lifecycle: { preStop: { exec: { command: string[] } } }
  volumeMounts: { name: string }[]
}
interface Selector {
  matchLabels: Record<string, string>
}
interface Peer {
  namespaceSelector?: Selector
  ipBlock?: { cidr: string; except: string[] }
}
interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string; annotations?: Record<string, string> }
  data?: Record<string, string>
  spec: {
    replicas?: number
    strategy: object
    minAvailable?: number
    selector: Selector & Record<string, string>
    ports: { targetPort: string }[]
    rules: { http: { paths: { backend: { service: { name: string } } }[] } }[]
    scaleTargetRef: object
    minReplicas: number
    maxReplicas: number
    metrics: object[]
    podSelector: Selector
    policyTypes: string[]
    ingress: { from: Peer[]; ports: { port: string | number }[] }[]
    egress: { to: Peer[]; ports: { port: string | number }[] }[]
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        securityContext: object
        terminationGracePeriodSeconds: number
        containers: [Container]
        volumes: { name: string; secret?: { secretName: string } }[]
      }
    }
  }
}

function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map((document) => {
    // Includes duplicate keys, which kubectl refuses.
    expect(document.errors).toEqual([])
    return document.toJS() as Manifest
  })
}

/** The manifests that `kubectl apply -f deploy/kubernetes` reads: files of the folder with these endings. */
async function readManifests(): Promise<Manifest[]> {
  const names = (await readdir(join(deploy, 'kubernetes'))).filter((name) => /\.(?:ya?ml|json)$/.test(name))
  const texts = await Promise.all(names.toSorted().map((name) => readFile(join(deploy, 'kubernetes', name), 'utf8')))
  return texts.flatMap(parseManifests)
}

const manifests = await readManifests()
const one = (kind: string) => {
  const found = manifests.filter((each) => each.kind === kind)
  expect(found, kind).toHaveLength(1)
  return found[0] as Manifest
}
const labels = { 'app.kubernetes.io/name': 'privity' }

/**
 * Runs the documented commands before `kubectl apply`; `spoil` changes the files in between. Resolves with kubectl's
 * input.
 */
async function makeSecret(spoil = async (_folder: string) => {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'privity-kubernetes-'))
  const run = promisify(execFile)
  try {
    for (const name of ['makeSecrets.sh', 'kubernetes'])
      await cp(join(deploy, name), join(folder, name), { recursive: true })
    await run('sh', [join(folder, 'makeSecrets.sh')])
    await spoil(join(folder, 'secrets'))
    return (await run('sh', [join(folder, 'kubernetes', 'secret.sh')])).stdout
  } finally {
    await rm(folder, { recursive: true })
  }
}

test('every manifest has a kind, version, name and text that Kubernetes accepts', () => {
  const versions: Record<string, string> = {
    ConfigMap: 'v1',
    Service: 'v1',
    Deployment: 'apps/v1',
    PodDisruptionBudget: 'policy/v1',
    HorizontalPodAutoscaler: 'autoscaling/v2',
    Ingress: 'networking.k8s.io/v1',
    NetworkPolicy: 'networking.k8s.io/v1',
  }
  const found = Object.fromEntries(manifests.map(({ kind, apiVersion }) => [kind, apiVersion]))
  expect(found).toEqual(versions)
  expect(manifests).toHaveLength(Object.keys(versions).length)
  for (const { kind, metadata, data = {} } of manifests) {
    expect(metadata.name, kind).toMatch(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
    // Kubernetes refuses unquoted numbers and booleans.
    const texts = [...Object.values(data), ...Object.values(metadata.annotations ?? {})]
    for (const text of texts) expect(typeof text, `${kind} ${text}`).toBe('string')
  }
  for (const { name, value } of one('Deployment').spec.template.spec.containers[0].env)
    expect(typeof value, name).toBe('string')
})

test('every name that a manifest refers to is that of another', () => {
  const { spec } = one('Deployment')
  const pod = spec.template.spec
  const [container] = pod.containers
  const ports = container.ports.map(({ name }) => name)
  expect(container.envFrom).toEqual([{ configMapRef: { name: one('ConfigMap').metadata.name } }])
  expect(container.volumeMounts.map(({ name }) => name)).toEqual(pod.volumes.map(({ name }) => name))
  for (const probe of [container.readinessProbe, container.livenessProbe, container.startupProbe])
    expect(ports).toContain(probe.httpGet.port)
  expect(one('Service').spec.ports.map(({ targetPort }) => targetPort)).toEqual(ports)
  const services = one('Ingress').spec.rules.flatMap(({ http }) =>
    http.paths.map(({ backend }) => backend.service.name),
  )
  expect(services).toEqual([one('Service').metadata.name])
  expect(spec.template.metadata.labels).toEqual(labels)
  expect(spec.selector.matchLabels).toEqual(labels)
  expect(one('PodDisruptionBudget').spec.selector.matchLabels).toEqual(labels)
  expect(one('Service').spec.selector).toEqual(labels)
  expect(one('NetworkPolicy').spec.podSelector.matchLabels).toEqual(labels)
  const { name } = one('Deployment').metadata
  expect(one('HorizontalPodAutoscaler').spec.scaleTargetRef).toEqual({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name,
  })
})

test('the documented commands make a secret that the server starts with, and no apply empties it', async () => {
  const [secret] = parseManifests(await makeSecret()) as [Manifest]
  const pod = one('Deployment').spec.template.spec
  expect(secret).toMatchObject({ apiVersion: 'v1', kind: 'Secret', type: 'Opaque' })
  expect(pod.volumes.flatMap((volume) => volume.secret?.secretName ?? [])).toEqual([secret.metadata.name])
  expect(manifests.map(({ kind }) => kind)).not.toContain('Secret')
  const files = pod.containers[0].env.map(({ value }) => value.replace('/run/secrets/privity/', ''))
  expect(Object.keys(secret.data ?? {}).toSorted()).toEqual(files.toSorted())
  const mounted = await mkdtemp(join(tmpdir(), 'privity-mounted-'))
  try {
    for (const [name, value] of Object.entries(secret.data ?? {}))
      await writeFile(join(mounted, name), Buffer.from(value, 'base64'))
    const given = pod.containers[0].env.map(({ name, value }) => [name, value.replace('/run/secrets/privity', mounted)])
    const env: Record<string, string> = { ...one('ConfigMap').data, ...Object.fromEntries(given) }
    const asked = new Set<string>()
    const config = loadConfig(new Proxy(env, { get: (all, name: string) => (asked.add(name), all[name]) }))
    expect(Object.keys(env).filter((name) => !asked.has(name))).toEqual([])
    expect(config.serverSecret).toMatch(/^[0-9a-f]{64}$/)
    expect(config.s3).toMatchObject({ bucket: 'privity' })
  } finally {
    await rm(mounted, { recursive: true })
  }
})

test.each([
  ['missing', (folder: string) => rm(join(folder, 'database_url'))],
  ['empty', (folder: string) => truncate(join(folder, 'database_url'))],
])('a secret of which a file is %s is not handed to kubectl', async (_what, spoil) => {
  const stderr = expect.stringContaining('database_url') as string
  await expect(makeSecret(spoil)).rejects.toMatchObject({ code: 1, stdout: '', stderr })
})

test('the Kubernetes example runs confined processes that are drained before they end', () => {
  const { spec } = one('Deployment')
  expect(spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } } })
  expect(one('PodDisruptionBudget').spec.minAvailable).toBe(1)
  const pod = spec.template.spec
  expect(pod.securityContext).toMatchObject({
    runAsNonRoot: true,
    runAsUser: 1000,
    seccompProfile: { type: 'RuntimeDefault' },
  })
  const [container] = pod.containers
  expect(container.image).toMatch(/:\d+\.\d+\.\d+$/)
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  })
  expect(container.resources).toMatchObject({ requests: { cpu: '250m' }, limits: { memory: '1Gi' } })
  expect(container.readinessProbe.httpGet.path).toBe('/api/health')
  expect([container.livenessProbe, container.startupProbe].map(({ httpGet }) => httpGet.path)).toEqual([
    '/api/alive',
    '/api/alive',
  ])
  const { data = {} } = one('ConfigMap')
  const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1])
  const waited = Number(container.lifecycle.preStop.exec.command.at(-1))
  const least = waited + seconds(data['DRAIN_DELAY']) + seconds(data['DRAIN_TIME']) + 2
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(least)
  for (const name of secretNames)
    expect([...Object.keys(data), ...container.env.map((each) => each.name)]).not.toContain(name)
  const timeouts = one('Ingress').metadata.annotations ?? {}
  expect(Number(timeouts['nginx.ingress.kubernetes.io/proxy-read-timeout'])).toBeGreaterThanOrEqual(3600)
})

test('the autoscaler alone decides how many processes there are, and never fewer than two', () => {
  const { minReplicas, maxReplicas, metrics } = one('HorizontalPodAutoscaler').spec
  expect(one('Deployment').spec.replicas).toBeUndefined()
  expect([minReplicas, maxReplicas]).toEqual([2, 6])
  expect(metrics).toEqual([
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'AverageValue', averageValue: '700m' } } },
  ])
})

test('the network policy names all peers of the processes and bars cloud credentials', () => {
  const { policyTypes, ingress, egress } = one('NetworkPolicy').spec
  expect(policyTypes).toEqual(['Ingress', 'Egress'])
  expect(ingress).toHaveLength(1)
  expect(ingress[0]?.ports).toEqual([{ port: 'http', protocol: 'TCP' }])
  for (const { namespaceSelector } of ingress[0]?.from ?? []) expect(namespaceSelector).toBeDefined()
  expect(egress.flatMap(({ ports }) => ports.map(({ port }) => port))).toEqual([53, 53, 5432, 6379, 443, 465, 587])
  const blocks = egress.flatMap(({ to }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
  expect(blocks.find(({ cidr }) => cidr === '0.0.0.0/0')?.except).toEqual(['169.254.169.254/32'])
})
