import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { email } from '@privity/contract/values'
import { isLoopback, isPlaintext } from './addresses.ts'
import { readEnvironment, type VariableName, type Variables } from './environment.ts'
import type { Config, MailConfig } from './types.ts'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The version of this program. */
export const version: string = manifest.version

export class ConfigError extends Error {
  readonly problems: readonly string[]
  constructor(problems: readonly string[]) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Variables of which all are set or none. */
const groups: [names: VariableName[], choice: string][] = [
  [['TLS_CERT', 'TLS_KEY'], 'set both or none.'],
  [['S3_ENDPOINT', 'S3_BUCKET', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'], 'set all five or none.'],
  [['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN', 'TWILIO_FROM'], 'set all three or none.'],
]
const joinNames = new Intl.ListFormat('en-GB')

/** Returns the problems between variables. */
function findConflicts({ DATABASE_URL, PUBLIC_URL }: Variables, isSet: (name: VariableName) => boolean): string[] {
  const problems = groups
    .filter(([names]) => names.some(isSet) && !names.every(isSet))
    .map(([names, choice]) => `${joinNames.format(names)} belong together: ${choice}`)
  if (isSet('TLS_CERT') && isSet('TLS_KEY') && PUBLIC_URL?.startsWith('http:') === true)
    problems.push('PUBLIC_URL must begin with https:// where TLS_CERT is set.')
  if (isSet('VALKEY_URL') && !isSet('SERVER_SECRET'))
    problems.push(
      'SERVER_SECRET is missing: with VALKEY_URL every process needs the same one, 32 random characters or more.',
    )
  if (isSet('VALKEY_URL') && DATABASE_URL === undefined)
    problems.push('VALKEY_URL connects processes that share a database: set DATABASE_URL too, or remove it.')
  if (isSet('SENDGRID_API_KEY') && !isSet('MAIL_FROM'))
    problems.push('SENDGRID_API_KEY needs MAIL_FROM: the sender that SendGrid has verified.')
  return problems
}

function findWarnings({ host, publicUrl, valkeyUrl, s3, operations, logLevel, supportEmail, mail, alerts }: Config) {
  const warnings: string[] = []
  if (isLoopback(host) && publicUrl !== undefined && isPlaintext(publicUrl, ['http:']))
    warnings.push(
      `PUBLIC_URL is ${publicUrl}: passwords cross the network readable, and browsers encrypt under HTTPS or on ` +
        'localhost only. Let the proxy in front speak HTTPS, and set PUBLIC_URL to that address.',
    )
  if (operations.accessLog && !['trace', 'debug', 'info'].includes(logLevel))
    warnings.push(`ACCESS_LOG is on, but LOG_LEVEL is ${logLevel}: requests are lines of the level info.`)
  if (valkeyUrl !== undefined && isPlaintext(valkeyUrl, ['valkey:', 'redis:']))
    warnings.push('VALKEY_URL is not valkeys://: the network on the way can read its password and alter counts.')
  if (s3 !== undefined && isPlaintext(s3.endpoint, ['http:']))
    warnings.push('S3_ENDPOINT is not https://: who is on the way can count files and refuse them.')
  if (supportEmail !== undefined && mail === undefined)
    warnings.push('SUPPORT_EMAIL is set without SMTP_URL: support requests are stored, but not mailed.')
  if (mail !== undefined && alerts.sendgrid !== undefined)
    warnings.push('SMTP_URL and SENDGRID_API_KEY are both set: alerts are mailed by SMTP_URL.')
  return warnings
}

/** Returns the group if all of it is set, else undefined. */
const ifComplete = <T extends object>(group: T) =>
  Object.values(group).includes(undefined) ? undefined : (group as { [K in keyof T]: NonNullable<T[K]> })

function toMailConfig({ SMTP_URL, MAIL_FROM, PUBLIC_URL }: Variables): MailConfig | undefined {
  if (SMTP_URL === undefined) return undefined
  const user = email.safeParse(SMTP_URL.auth?.user).data
  const host = PUBLIC_URL === undefined ? 'localhost' : new URL(PUBLIC_URL).hostname
  return { ...SMTP_URL, from: MAIL_FROM ?? user ?? `privity@${host}` }
}

/** Reads the configuration from environment variables (see .env.example). Throws a ConfigError with every problem. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const { variables, isSet, problems } = readEnvironment(env)
  const { HOST: host, PUBLIC_URL: publicUrl, TRUST_PROXY: trustProxy } = variables
  const isPublicUrlLocal = publicUrl === undefined || isLoopback(new URL(publicUrl).hostname)
  const loopback = isLoopback(host) && isPublicUrlLocal && trustProxy === false
  const tls = ifComplete({ cert: variables.TLS_CERT, key: variables.TLS_KEY })
  const config: Config = {
    port: variables.PORT,
    host,
    loopback,
    dataDir: resolve(variables.DATA_DIR),
    postgres: ifComplete({ url: variables.DATABASE_URL, readers: variables.DATABASE_READERS }),
    valkeyUrl: variables.VALKEY_URL,
    publicUrl,
    secure: tls !== undefined || publicUrl?.startsWith('https:') === true,
    trustProxy,
    tls,
    serverSecret: variables.SERVER_SECRET,
    newServerSecret: variables.NEW_SERVER_SECRET,
    founder: { username: variables.FOUNDER_USERNAME, password: variables.FOUNDER_PASSWORD },
    organization: { name: variables.ORG_NAME, type: variables.ORG_TYPE },
    demo: variables.DEMO ?? (loopback && variables.NODE_ENV !== 'production'),
    retention: variables.MESSAGE_RETENTION,
    accountFileBytes: variables.ACCOUNT_FILES_MB * 1024 ** 2,
    mail: toMailConfig(variables),
    restoredMails: variables.RESTORED_MAILS,
    supportEmail: variables.SUPPORT_EMAIL,
    pushHosts: variables.PUSH_HOSTS,
    s3: ifComplete({
      endpoint: variables.S3_ENDPOINT,
      bucket: variables.S3_BUCKET,
      region: variables.S3_REGION,
      accessKeyId: variables.S3_ACCESS_KEY_ID,
      secretAccessKey: variables.S3_SECRET_ACCESS_KEY,
      prefix: variables.S3_PREFIX,
      pathStyle: variables.S3_PATH_STYLE,
    }),
    alerts: {
      sendgrid: ifComplete({ key: variables.SENDGRID_API_KEY, from: variables.MAIL_FROM }),
      twilio: ifComplete({
        sid: variables.TWILIO_ACCOUNT_SID,
        token: variables.TWILIO_AUTH_TOKEN,
        from: variables.TWILIO_FROM,
      }),
    },
    operations: {
      metricsToken: variables.METRICS_TOKEN,
      accessLog: variables.ACCESS_LOG,
      drain: { delay: variables.DRAIN_DELAY, time: variables.DRAIN_TIME },
    },
    logLevel: variables.LOG_LEVEL,
    webDir: fileURLToPath(new URL('../../../../web/dist', import.meta.url)),
    warnings: [],
  }
  problems.push(...findConflicts(variables, isSet))
  config.warnings.push(...findWarnings(config))
  if (!isLoopback(host) && !config.secure) {
    const problem =
      `HOST is ${host} without HTTPS: passwords would cross the network readable, and browsers encrypt under HTTPS or ` +
      'on localhost only. Set TLS_CERT and TLS_KEY, or PUBLIC_URL to the https:// address of the proxy in front.'
    if (variables.ALLOW_HTTP) config.warnings.unshift(problem)
    else problems.push(`${problem} ALLOW_HTTP=1 starts the server without HTTPS.`)
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}
