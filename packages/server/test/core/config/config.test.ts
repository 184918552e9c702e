import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { config as contract } from '@privity/contract/config'
import { limits } from '@privity/contract/limits'
import { describe, expect, test } from 'vitest'
import { ConfigError, loadConfig } from '../../../src/core/config/config.ts'
import { warningsOf } from '../../../src/run.ts'
import { createTestServer } from '../../support/server/testServer.ts'

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadConfig(env)
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
}

test('without any variable it is a demo for this machine', () => {
  const config = loadConfig({})
  expect(config).toMatchObject({ port: 3000, host: '127.0.0.1', loopback: true, demo: true, secure: false })
  expect(config).toMatchObject({ retention: limits.retention, founder: { username: 'founder', password: undefined } })
  expect(config.dataDir.endsWith('/data')).toBe(true)
})

test('every problem is said at once', () => {
  const problems = problemsOf({
    PORT: '70000',
    PUBLIC_URL: 'chat.example.org',
    TRUST_PROXY: 'true',
    TLS_CERT: '/no/such/file',
    SERVER_SECRET: 'short',
    FOUNDER_USERNAME: 'A B',
    FOUNDER_PASSWORD: 'short',
    DEMO: 'perhaps',
    MESSAGE_RETENTION: '3d',
    ACCOUNT_FILES_MB: '100',
    LOG_LEVEL: 'loud',
    SMTP_URL: 'mail.example.org',
    MAIL_FROM: 'nobody',
    SUPPORT_EMAIL: 'nobody',
    METRICS_TOKEN: 'short',
    ACCESS_LOG: 'perhaps',
    DRAIN_DELAY: '11m',
    DRAIN_TIME: '0s',
    DATABASE_URL: 'postgres://x',
    VALKEY_URL: 'redis://x',
    S3_BUCKET: 'x',
  })
  for (const name of [
    'PORT',
    'PUBLIC_URL',
    'TRUST_PROXY',
    'TLS_CERT',
    'TLS_KEY',
    'SERVER_SECRET',
    'FOUNDER_USERNAME',
    'FOUNDER_PASSWORD',
    'DEMO',
    'MESSAGE_RETENTION',
    'ACCOUNT_FILES_MB',
    'LOG_LEVEL',
    'SMTP_URL',
    'MAIL_FROM',
    'SUPPORT_EMAIL',
    'METRICS_TOKEN',
    'ACCESS_LOG',
    'DRAIN_DELAY',
    'DRAIN_TIME',
    'DATABASE_URL',
    'VALKEY_URL',
    'S3_BUCKET',
  ]) {
    expect(
      problems.some((problem) => problem.startsWith(name) || problem.includes(` ${name} `)),
      name,
    ).toBe(true)
  }
  expect(problems.join()).not.toContain('short"')
})

describe('values', () => {
  test.each([
    ['30s', 30_000],
    ['10m', 600_000],
    ['24h', 86_400_000],
  ])('MESSAGE_RETENTION=%s', (text, expected) => {
    expect(loadConfig({ MESSAGE_RETENTION: text }).retention).toBe(expected)
  })

  test.each(['0s', '25h', '-5m', '5', '1.5h', 'h'])('MESSAGE_RETENTION=%s is refused', (text) => {
    expect(problemsOf({ MESSAGE_RETENTION: text })).toHaveLength(1)
  })

  test.each([
    ['0', false],
    ['2', 2],
    ['10.0.0.0/8, loopback', ['10.0.0.0/8', 'loopback']],
  ])('TRUST_PROXY=%s', (text, expected) => {
    expect(loadConfig({ TRUST_PROXY: text }).trustProxy).toEqual(expected)
  })

  test.each(['10.0.0.0/33', '10.0.0.0/0', '10.0.0.0/x', '::1/129', '10.0.0.1, proxy', '1.5'])(
    'TRUST_PROXY=%s is refused',
    (text) => {
      expect(problemsOf({ TRUST_PROXY: text })).toHaveLength(1)
    },
  )

  test.each([
    ['127.0.0.1', undefined, true],
    ['::1', undefined, true],
    ['localhost', undefined, true],
    ['127.0.0.1', 'production', false],
    ['0.0.0.0', undefined, false],
    ['192.168.1.5', 'development', false],
  ])('HOST=%s NODE_ENV=%s has the demo: %s', (HOST, NODE_ENV, expected) => {
    const env = { HOST, NODE_ENV, ALLOW_HTTP: '1' }
    expect(loadConfig(env).demo).toBe(expected)
    expect(loadConfig({ ...env, DEMO: '1' }).demo).toBe(true)
    expect(loadConfig({ ...env, DEMO: '0' }).demo).toBe(false)
  })

  test.each([
    [{}, true],
    [{ HOST: 'LOCALHOST' }, true],
    [{ PUBLIC_URL: 'http://localhost:3000' }, true],
    [{ PUBLIC_URL: 'http://[::1]:3000' }, true],
    [{ TRUST_PROXY: '0' }, true],
    [{ PUBLIC_URL: 'https://chat.example.org' }, false],
    [{ PUBLIC_URL: 'https://127.0.0.1.example.org' }, false],
    [{ TRUST_PROXY: '1' }, false],
    [{ TRUST_PROXY: 'loopback' }, false],
    [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000', ALLOW_HTTP: '1' }, false],
  ] as [Record<string, string>, boolean][])('%j is for this machine only: %s', (env, expected) => {
    expect(loadConfig(env)).toMatchObject({ loopback: expected, demo: expected })
  })

  test.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.5', ALLOW_HTTP: '0' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://chat.example.org' },
    { HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:3000' },
    { HOST: '0.0.0.0', TRUST_PROXY: '1' },
  ] as Record<string, string>[])('a network without HTTPS is refused: %j', (env) => {
    expect(problemsOf(env)).toEqual([expect.stringMatching(/^HOST is .* without HTTPS: .* ALLOW_HTTP=1 /)])
  })

  test('a network without HTTPS is warned about where ALLOW_HTTP allows it', () => {
    const { warnings } = loadConfig({ HOST: '0.0.0.0', ALLOW_HTTP: '1' })
    expect(warnings).toEqual([expect.stringMatching(/^HOST is 0\.0\.0\.0 without HTTPS: /)])
  })

  test('a network with HTTPS is neither refused nor warned about', () => {
    expect(loadConfig({ HOST: '0.0.0.0', PUBLIC_URL: 'https://chat.example.org' }).warnings).toEqual([])
    const tls = { TLS_CERT: fileURLToPath(import.meta.url), TLS_KEY: fileURLToPath(import.meta.url) }
    expect(loadConfig({ HOST: '0.0.0.0', ...tls }).warnings).toEqual([])
  })

  test('a machine of its own may speak HTTP', () => {
    expect(loadConfig({ HOST: '127.0.0.1', TRUST_PROXY: '1' }).warnings).toEqual([])
  })

  test.each([
    ['valkey://:secret@valkey.example.org:6379', true],
    ['redis://10.0.0.5:6379', true],
    ['REDIS://10.0.0.5:6379', true],
    ['Valkey://:secret@valkey.example.org:6379', true],
    ['valkeys://:secret@valkey.example.org:6379', false],
    ['rediss://10.0.0.5:6379', false],
    ['valkey://:secret@127.0.0.1:6379', false],
    ['redis://[::1]:6379', false],
  ])('VALKEY_URL=%s without TLS to another machine is warned about: %s', (VALKEY_URL, expected) => {
    const shared = { SERVER_SECRET: 'x'.repeat(32), DATABASE_URL: 'postgresql://127.0.0.1/privity' }
    const warnings = loadConfig({ ...shared, VALKEY_URL }).warnings.join()
    expect(warnings.includes('VALKEY_URL is not valkeys://')).toBe(expected)
    expect(warnings).not.toContain('secret')
  })

  test.each([
    ['postgresql://user:secret@db.example.org/privity', true],
    ['postgresql://db.example.org/privity?sslmode=disable', true],
    ['postgresql://db.example.org/privity?ssl=0', true],
    ['postgresql:///privity?host=db.example.org', true],
    ['postgresql://db.example.org/privity?sslmode=verify-full', false],
    ['postgresql://db.example.org/privity?ssl=true', false],
    ['postgresql://127.0.0.1/privity', false],
    ['postgresql://localhost:5433/privity', false],
    ['postgresql://[::1]/privity', false],
    ['postgresql:///privity?host=/run/postgresql', false],
  ])('DATABASE_URL=%s without TLS to another machine is warned about: %s', async (DATABASE_URL, expected) => {
    const warnings = (await warningsOf(loadConfig({ DATABASE_URL }))).join()
    expect(warnings.includes('DATABASE_URL asks for no TLS')).toBe(expected)
    expect(warnings).not.toContain('secret')
  })
})

test('a secret may stand in a file that is named instead', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'privity-config-'))
  const path = join(folder, 'secret')
  const secret = 'x'.repeat(40)
  await writeFile(path, `${secret}\n`)
  expect(loadConfig({ SERVER_SECRET_FILE: path }).serverSecret).toBe(secret)
  expect(loadConfig({ METRICS_TOKEN_FILE: path }).operations.metricsToken).toBe(secret)
  expect(problemsOf({ SERVER_SECRET_FILE: path, SERVER_SECRET: secret })[0]).toContain('are both set')
  expect(problemsOf({ SERVER_SECRET_FILE: join(folder, 'none') })[0]).toContain('there is no readable file')
  expect(problemsOf({ SERVER_SECRET_FILE: folder })[0]).toContain('there is no readable file')
  await writeFile(path, ' \n')
  expect(problemsOf({ SERVER_SECRET_FILE: path })[0]).toContain('is empty or too long')
  await writeFile(path, 'short')
  expect(problemsOf({ SERVER_SECRET_FILE: path })).toEqual([expect.stringContaining('SERVER_SECRET is too short')])
  expect(problemsOf({ SERVER_SECRET_FILE: path }).join('')).not.toContain('short"')
  await rm(folder, { recursive: true })
})

describe('GET /api/config', () => {
  test('gives the demo accounts only where DEMO is on, once they have been made', async () => {
    await using on = await createTestServer({ env: { DEMO: '1', MESSAGE_RETENTION: '30s' } })
    expect((await on.visitor().call(contract.get, {})).demo, 'not made yet').toBeUndefined()
    await on.signUp('demo')
    expect((await on.visitor().call(contract.get, {})).demo, 'one of two').toBeUndefined()
    await on.signUp('demo-contact')
    const described = await on.visitor().call(contract.get, {})
    expect(described).toMatchObject({ retention: 30_000, now: on.clock.now(), version: '2.1.0' })
    expect(described.demo?.username).not.toBe(described.demo?.other.username)
    await using off = await createTestServer({ env: { DEMO: '0' } })
    expect((await off.visitor().call(contract.get, {})).demo).toBeUndefined()
  })
})

test('GET /api/health says when the files cannot be reached', async () => {
  await using server = await createTestServer()
  const ask = () => server.visitor().call(contract.health, {})
  // A busy machine, or one with a nearly full disk, reports a warning.
  expect(await ask()).toEqual({ status: expect.stringMatching(/^(good|warning)$/) as string, version: '2.1.0' })
  await rename(`${server.dataDir}/objects`, `${server.dataDir}/gone`)
  await server.advance(15_000)
  expect(await ask()).toEqual({ status: 'critical', version: '2.1.0' })
})

describe('an object store', () => {
  const s3 = {
    S3_ENDPOINT: 'https://s3.example.org',
    S3_BUCKET: 'files',
    S3_REGION: 'eu-central-1',
    S3_ACCESS_KEY_ID: 'test:tester',
    S3_SECRET_ACCESS_KEY: 'an/example+of=key',
  }

  test('is named by five variables, and two more', () => {
    expect(loadConfig({}).s3).toBeUndefined()
    expect(loadConfig(s3).s3).toEqual({
      endpoint: 'https://s3.example.org',
      bucket: 'files',
      region: 'eu-central-1',
      accessKeyId: 'test:tester',
      secretAccessKey: 'an/example+of=key',
      prefix: '',
      pathStyle: true,
    })
    const more = loadConfig({ ...s3, S3_PREFIX: 'privity/2/', S3_PATH_STYLE: '0' }).s3
    expect(more).toMatchObject({ prefix: 'privity/2/', pathStyle: false })
  })

  test.each(Object.keys(s3))('without %s is refused, and no key is repeated', (name) => {
    const problems = problemsOf({ ...s3, [name]: '' })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^S3_ENDPOINT, .* belong together: set all five or none\.$/)
  })

  test.each([
    ['S3_ENDPOINT', 's3.example.org'],
    ['S3_ENDPOINT', 'https://s3.example.org/path'],
    ['S3_BUCKET', 'Files'],
    ['S3_BUCKET', 'a/b'],
    ['S3_REGION', 'eu central'],
    ['S3_ACCESS_KEY_ID', 'two words'],
    ['S3_SECRET_ACCESS_KEY', 'line\nline'],
    ['S3_PREFIX', 'privity'],
    ['S3_PREFIX', '/'],
    ['S3_PREFIX', 'a?b/'],
    ['S3_PREFIX', './'],
    ['S3_PREFIX', 'a/../'],
    ['S3_PATH_STYLE', 'maybe'],
  ])('with %s as %j is refused', (name, value) => {
    const problems = problemsOf({ ...s3, [name]: value })
    expect(problems).toHaveLength(1)
    expect(problems[0]).toContain(name)
    if (name.includes('KEY')) expect(problems[0]).not.toContain(value)
  })

  test('without HTTPS on another machine is warned of', () => {
    expect(loadConfig({ ...s3, S3_ENDPOINT: 'http://s3.example.org' }).warnings.join()).toContain('S3_ENDPOINT')
    expect(loadConfig({ ...s3, S3_ENDPOINT: 'http://127.0.0.1:9000' }).warnings).toEqual([])
  })
})
