import { accessSync, constants, readFileSync } from 'node:fs'
import { limits } from '@privity/contract/limits'
import { email } from '@privity/contract/values'
import { z } from 'zod'
import { isDatabaseUrl, isValkeyUrl, parseHosts, parseMailServer, parseOrigin, parseProxies } from './addresses.ts'
import { logLevels } from './types.ts'

/** Variables that no message quotes; those with `hasFile` may be given as a file, by NAME_FILE. */
const unquoted = z.registry<{ hasFile: boolean }>()

/** A password, a key, or an address that may hold one. Containers are given secrets as files. */
function secret<S extends z.ZodType>(schema: S) {
  const variable = schema.optional()
  unquoted.add(variable as z.ZodType, { hasFile: true })
  return variable
}

/** Text that `parse` turns into a value; if it returns undefined, `hint` tells the operator what to write instead. */
const parsed = <T>(hint: string, parse: (text: string) => T | undefined) =>
  z.string().transform((text, context) => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue(hint)
    return z.NEVER
  })

const number = (min: number, max: number, hint = `use a number from ${min} to ${max}.`) =>
  parsed(hint, (text) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined,
  )

const flag = () =>
  z.stringbool({ truthy: ['1', 'true', 'on', 'yes'], falsy: ['0', 'false', 'off', 'no'], error: 'use 1 or 0.' })

const [second, minute, hour] = [1000, 60_000, 3_600_000]
const units: Record<string, number> = { h: hour, m: minute, s: second }

function formatDuration(ms: number): string {
  const [unit, length] = Object.entries(units).find(([, each]) => ms >= each && ms % each === 0) ?? ['s', second]
  return `${ms / length}${unit}`
}

/** A time such as 30s, 10m or 24h, in milliseconds. */
const duration = (min: number, max: number, reason = '') =>
  parsed(`use a time from ${formatDuration(min)} to ${formatDuration(max)}, such as 30s or 10m${reason}.`, (text) => {
    const [, count, unit = ''] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? []
    const length = Number(count) * (units[unit] ?? Number.NaN)
    return length >= min && length <= max ? length : undefined
  })

const readableFile = () =>
  parsed('there is no readable file.', (path) => {
    try {
      accessSync(path, constants.R_OK)
      return path
    } catch {
      return undefined
    }
  })

const origin = () =>
  parsed('use the address people open, without a path, such as https://chat.example.org.', parseOrigin)
const emailAddress = () => parsed('use an email address.', (text) => email.safeParse(text).data)
/** The push services of Chrome and others, Firefox, Safari and Edge. */
const browserPushHosts = [
  'fcm.googleapis.com',
  'updates.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]
const s3Key = () => z.string().regex(/^[\x21-\x7e]{1,256}$/, 'use the whole key, without spaces.')

/** Every variable that the server reads: its form, its bounds, and its default if there is a fixed one. */
const environment = z.object({
  PORT: number(0, 65_535, 'use a number from 0 to 65535 (0 takes any free port).').default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin().optional(),
  TRUST_PROXY: parsed(
    'use the number of proxies in front, or their addresses separated by commas.',
    parseProxies,
  ).default(false),
  TLS_CERT: readableFile().optional(),
  TLS_KEY: readableFile().optional(),
  ALLOW_HTTP: flag().default(false),
  DATA_DIR: z.string().default('data'),
  SERVER_SECRET: secret(z.string().min(32, 'use 32 random characters or more.')),
  // Checked by the rotation, the only one to use it.
  NEW_SERVER_SECRET: secret(z.string()),
  DRAIN_DELAY: duration(0, 10 * minute).default(0),
  DRAIN_TIME: duration(second, hour).default(8 * second),

  DATABASE_URL: secret(z.string().refine(isDatabaseUrl, 'use postgresql://user:password@host:5432/database.')),
  DATABASE_READERS: number(1, 100).default(8),
  VALKEY_URL: secret(
    z.string().refine(isValkeyUrl, 'use valkey://:password@host:6379, or valkeys://:password@host:6379 for TLS.'),
  ),
  S3_ENDPOINT: origin().optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'use 3 to 63 of a-z 0-9 . -')
    .optional(),
  S3_REGION: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'use the name of a region, such as us-east-1.')
    .optional(),
  S3_ACCESS_KEY_ID: secret(s3Key()),
  S3_SECRET_ACCESS_KEY: secret(s3Key()),
  S3_PREFIX: z
    .string()
    .regex(
      /^((?!\.\.?\/)[\w.-]{1,64}\/){0,8}$/,
      'use names of a-z A-Z 0-9 _ . - that each end in a slash, such as privity/.',
    )
    .default(''),
  S3_PATH_STYLE: flag().default(true),
  ACCOUNT_FILES_MB: number(128, 1_000_000).default(limits.accountFileBytes / 1024 ** 2),
  // At most the lifetime that the product promises. The texts of the product state it, so no server may exceed it.
  MESSAGE_RETENTION: duration(second, limits.retention, ', as messages must not live longer').default(limits.retention),

  FOUNDER_USERNAME: z
    .string()
    .regex(/^[a-z0-9._-]{3,32}$/, 'use 3 to 32 of a-z 0-9 . _ -.')
    .default('founder'),
  FOUNDER_PASSWORD: secret(
    z.string().min(limits.passwordCharacters, `use ${limits.passwordCharacters} characters or more.`),
  ),
  ORG_NAME: z.string().default('Privity'),
  ORG_TYPE: z.string().default('Organization'),
  DEMO: flag().optional(),
  NODE_ENV: z.string().optional(),

  SMTP_URL: secret(parsed('use smtps://user:password@mail.example.org or smtp://… (with STARTTLS).', parseMailServer)),
  MAIL_FROM: emailAddress().optional(),
  SUPPORT_EMAIL: emailAddress().optional(),
  PUSH_HOSTS: parsed(
    'use names of hosts separated by commas, such as fcm.googleapis.com,*.push.apple.com, or none.',
    parseHosts,
  ).default(browserPushHosts),
  RESTORED_MAILS: flag().default(false),
  SENDGRID_API_KEY: secret(
    z
      .string()
      .regex(/^SG\.[\w-]{1,100}\.[\w-]{1,200}$/, 'use the whole key, which begins with SG. and has two more parts.'),
  ),
  TWILIO_ACCOUNT_SID: z
    .string()
    .regex(/^AC[0-9a-f]{32}$/i, 'it begins with AC, and 32 digits and letters from a to f follow.')
    .optional()
    .register(unquoted, { hasFile: false }),
  TWILIO_AUTH_TOKEN: secret(z.string().regex(/^\w{16,128}$/, 'use the whole token.')),
  TWILIO_FROM: z
    .string()
    .regex(
      /^(\+[1-9]\d{1,14}|MG[0-9a-f]{32})$/i,
      'use a number such as +1234567890, or the MG… of a messaging service.',
    )
    .optional(),
  LOG_LEVEL: z.enum(logLevels, `use one of ${logLevels.join(', ')}.`).default('info'),
  ACCESS_LOG: flag().default(false),
  METRICS_TOKEN: secret(
    z
      .string()
      .regex(/^[\w.~+/=-]+$/, { error: 'a header carries only letters, digits and . _ ~ + / = -.', abort: true })
      .min(32, 'use 32 random characters or more.'),
  ),
})

export type VariableName = keyof typeof environment.shape
export type Variables = z.infer<typeof environment>
export const variableNames = Object.keys(environment.shape) as VariableName[]

/** Variables that a file may give, named by NAME_FILE. */
export const secretNames = variableNames.filter((name) => unquoted.get(environment.shape[name])?.hasFile === true)

const maxSecretLength = 16 * 1024

/** Reads the file that NAME_FILE names, or reports the problem with it. */
function readSecretFile(name: string, path: string, problems: string[]): string | undefined {
  try {
    const text = readFileSync(path, 'utf8').trim()
    if (text !== '' && text.length <= maxSecretLength) return text
    problems.push(`${name}_FILE is "${path}": the file is empty or too long.`)
  } catch {
    problems.push(`${name}_FILE is "${path}": there is no readable file.`)
  }
  return undefined
}

type Env = Record<string, string | undefined>

/** Returns the texts of the variables, without spaces around them; an empty one counts as not set. */
function readTexts(env: Env, problems: string[]): Partial<Record<VariableName, string>> {
  const texts: Partial<Record<VariableName, string>> = {}
  const textOf = (name: string) => env[name]?.trim() || undefined
  for (const name of variableNames) {
    const path = secretNames.includes(name) ? textOf(`${name}_FILE`) : undefined
    let text = textOf(name)
    if (path !== undefined && text !== undefined)
      problems.push(`${name} and ${name}_FILE are both set: set one of them.`)
    else if (path !== undefined) text = readSecretFile(name, path, problems)
    if (text !== undefined) texts[name] = text
  }
  return texts
}

/**
 * Reads the variables and reports every problem with one of them. A variable with a problem has its default, so that
 * the caller can go on and report those between variables too; `isSet` is true for it nevertheless.
 */
export function readEnvironment(env: Env) {
  const problems: string[] = []
  const texts = readTexts(env, problems)
  const isSet = (name: VariableName) => texts[name] !== undefined
  const result = environment.safeParse(texts)
  if (result.success) return { variables: result.data, isSet, problems }
  const valid = { ...texts }
  for (const { path, code, message } of result.error.issues) {
    const name = path[0] as VariableName
    const reason = code === 'too_small' ? 'is too short' : 'is not valid'
    problems.push(`${name} ${unquoted.has(environment.shape[name]) ? reason : `is "${texts[name]}"`}: ${message}`)
    delete valid[name]
  }
  return { variables: environment.parse(valid), isSet, problems }
}
