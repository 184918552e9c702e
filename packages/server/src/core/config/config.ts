import { accessSync, constants } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { limits } from '@privity/contract/limits'
import { type AlertConfig, readAlerts } from './alerts.ts'
import { createReader } from './environment.ts'
import { isLoopback } from './loopback.ts'
import { type MailConfig, readMail } from './mail.ts'
import { type OperationsConfig, readOperations } from './operations.ts'
import { readS3, type S3Config } from './s3.ts'

export interface Config {
  port: number
  host: string
  /** Whether only this machine can reach the server: no other address, and no proxy in front. */
  loopback: boolean
  dataDir: string
  /** The PostgreSQL database and the number of connections that read from it; undefined: SQLite. */
  postgres: { url: string; readers: number } | undefined
  /** Valkey, which passes notices between processes. The address may hold a password and appears in no message. */
  valkeyUrl: string | undefined
  /** The origin that people open, if it differs from the Host header. */
  publicUrl: string | undefined
  /** Whether browsers use HTTPS: Secure and __Host- cookies, HSTS. */
  secure: boolean
  trustProxy: boolean | number | string[]
  tls: { cert: string; key: string } | undefined
  serverSecret: string | undefined
  founder: { username: string; password: string | undefined }
  organization: { name: string; type: string }
  demo: boolean
  /** Lifetime of a message in milliseconds. */
  retention: number
  /** Bytes of ciphertext that the files of one account may take up together. */
  accountFileBytes: number
  /** The mail server; undefined: nothing is mailed. */
  mail: MailConfig | undefined
  /** Whether a server on a restored database sends mail. */
  restoredMails: boolean
  /** The address to which support requests are mailed, and which members see. */
  supportEmail: string | undefined
  /** The bucket for encrypted files; undefined: the data folder. */
  s3: S3Config | undefined
  /** Services that deliver the founder's alerts. */
  alerts: AlertConfig
  operations: OperationsConfig
  logLevel: LogLevel
  /** Folder of the built web client. */
  webDir: string
  /** Warnings to print at the start. */
  warnings: string[]
}

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

const isReadable = (path: string) => {
  try {
    accessSync(path, constants.R_OK)
    return true
  } catch {
    return false
  }
}

/** Whether the address uses one of these schemes to reach another machine. */
function goesPlain(address: string, schemes: readonly string[]): boolean {
  const { protocol, hostname } = new URL(address)
  return schemes.includes(protocol) && !isLoopback(hostname)
}

const megabyte = 1024 * 1024

/** Reads the configuration from environment variables (see .env.example). Throws a ConfigError with every problem. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const read = createReader(env)
  const host = read.text('HOST') ?? '127.0.0.1'
  const allowHttp = read.flag('ALLOW_HTTP') ?? false
  const publicUrl = read.origin('PUBLIC_URL')
  const trustProxy = read.proxies('TRUST_PROXY')
  const publiclyLocal = publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)
  const loopback = isLoopback(host) && publiclyLocal && trustProxy === false

  const cert = read.text('TLS_CERT')
  const key = read.text('TLS_KEY')
  if ((cert === undefined) !== (key === undefined))
    read.problem('TLS_CERT and TLS_KEY belong together: set both or none.')
  for (const [name, path] of [
    ['TLS_CERT', cert],
    ['TLS_KEY', key],
  ] as const) {
    if (path !== undefined && !isReadable(path)) read.problem(`${name} is "${path}": there is no readable file.`)
  }
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined
  if (tls !== undefined && publicUrl?.startsWith('http:'))
    read.problem('PUBLIC_URL must begin with https:// where TLS_CERT is set.')

  const serverSecret = read.text('SERVER_SECRET')
  if (serverSecret !== undefined && serverSecret.length < 32)
    read.problem('SERVER_SECRET is too short: use 32 random characters or more.')
  const founderPassword = read.text('FOUNDER_PASSWORD')
  if (founderPassword !== undefined && founderPassword.length < limits.passwordCharacters) {
    read.problem(`FOUNDER_PASSWORD is too short: use ${limits.passwordCharacters} characters or more.`)
  }
  const founderUsername = read.text('FOUNDER_USERNAME') ?? 'founder'
  if (!/^[a-z0-9._-]{3,32}$/.test(founderUsername)) {
    read.problem(`FOUNDER_USERNAME is "${founderUsername}": use 3 to 32 of a-z 0-9 . _ -.`)
  }

  const databaseUrl = read.database('DATABASE_URL')
  const valkeyUrl = read.valkey('VALKEY_URL')
  if (valkeyUrl !== undefined && serverSecret === undefined)
    read.problem(
      'SERVER_SECRET is missing: with VALKEY_URL every process needs the same one, 32 random characters or more.',
    )
  if (valkeyUrl !== undefined && databaseUrl === undefined)
    read.problem('VALKEY_URL connects processes that share a database: set DATABASE_URL too, or remove it.')
  const readers = read.number('DATABASE_READERS', 8, 1, 100)

  const secure = tls !== undefined || publicUrl?.startsWith('https:') === true
  const config: Config = {
    port: read.port('PORT', 3000),
    host,
    loopback,
    dataDir: resolve(read.text('DATA_DIR') ?? 'data'),
    postgres: databaseUrl === undefined ? undefined : { url: databaseUrl, readers },
    valkeyUrl,
    publicUrl,
    secure,
    trustProxy,
    tls,
    serverSecret,
    founder: { username: founderUsername, password: founderPassword },
    organization: { name: read.text('ORG_NAME') ?? 'Privity', type: read.text('ORG_TYPE') ?? 'Organization' },
    demo: read.flag('DEMO') ?? (loopback && read.text('NODE_ENV') !== 'production'),
    retention: read.duration('MESSAGE_RETENTION', limits.retention, 1000, limits.retention),
    accountFileBytes: read.number('ACCOUNT_FILES_MB', limits.accountFileBytes / megabyte, 128, 1_000_000) * megabyte,
    ...readMail(read, publicUrl),
    restoredMails: read.flag('RESTORED_MAILS') ?? false,
    s3: readS3(read),
    alerts: readAlerts(read),
    operations: readOperations(read),
    logLevel: read.oneOf('LOG_LEVEL', logLevels, 'info'),
    webDir: fileURLToPath(new URL('../../../../web/dist', import.meta.url)),
    warnings: [],
  }
  if (!isLoopback(host) && !secure) {
    const sentence =
      `HOST is ${host} without HTTPS: passwords would cross the network readable, and browsers encrypt under HTTPS or ` +
      'on localhost only. Set TLS_CERT and TLS_KEY, or PUBLIC_URL to the https:// address of the proxy in front.'
    if (allowHttp) config.warnings.push(sentence)
    else read.problem(`${sentence} ALLOW_HTTP=1 starts the server without HTTPS.`)
  }
  if (isLoopback(host) && publicUrl !== undefined && goesPlain(publicUrl, ['http:']))
    config.warnings.push(
      `PUBLIC_URL is ${publicUrl}: passwords cross the network readable, and browsers encrypt under HTTPS or on ` +
        'localhost only. Let the proxy in front speak HTTPS, and set PUBLIC_URL to that address.',
    )
  if (read.problems.length > 0) throw new ConfigError(read.problems)
  if (config.operations.accessLog && !['trace', 'debug', 'info'].includes(config.logLevel))
    config.warnings.push(`ACCESS_LOG is on, but LOG_LEVEL is ${config.logLevel}: requests are lines of the level info.`)
  if (valkeyUrl !== undefined && goesPlain(valkeyUrl, ['valkey:', 'redis:']))
    config.warnings.push('VALKEY_URL is not valkeys://: the network on the way can read its password and alter counts.')
  if (config.s3 !== undefined && goesPlain(config.s3.endpoint, ['http:']))
    config.warnings.push('S3_ENDPOINT is not https://: who is on the way can count files and refuse them.')
  if (config.supportEmail !== undefined && config.mail === undefined)
    config.warnings.push('SUPPORT_EMAIL is set without SMTP_URL: support requests are stored, but not mailed.')
  if (config.mail !== undefined && config.alerts.sendgrid !== undefined)
    config.warnings.push('SMTP_URL and SENDGRID_API_KEY are both set: alerts are mailed by SMTP_URL.')
  return config
}
