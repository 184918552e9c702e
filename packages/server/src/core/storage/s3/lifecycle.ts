import { createHash } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import type { S3Config } from '../../config/types.ts'
import { type S3Client, sha256 } from './client.ts'
import { isMissing, isUnsupported, S3Error } from './errors.ts'
import { elements, isWhole, textOf } from './responses.ts'

const ruleName = 'privity-expiry'
/** Covers limits.unregisteredUploadKept and limits.retention, in whole days. */
const daysKept = 2

/**
 * A safety net below the server's own removal. S3 counts days to the next midnight, and a file may be sent an hour
 * after its upload and then lives 24 hours: a single day would destroy files that can still be opened.
 */
const ruleFor = (prefix: string) =>
  Buffer.from(
    `<LifecycleConfiguration><Rule><ID>${ruleName}</ID><Filter><Prefix>${prefix}</Prefix></Filter>` +
      `<Status>Enabled</Status><Expiration><Days>${daysKept}</Days></Expiration>` +
      '<NoncurrentVersionExpiration><NoncurrentDays>1</NoncurrentDays></NoncurrentVersionExpiration>' +
      '<AbortIncompleteMultipartUpload><DaysAfterInitiation>1</DaysAfterInitiation></AbortIncompleteMultipartUpload>' +
      '</Rule></LifecycleConfiguration>',
  )

const howTo = (prefix: string) =>
  `Set up one that lets objects${prefix && ` under ${prefix}`} expire after ${daysKept} days and aborts incomplete multipart ` +
  'uploads after 1 day, if the store offers it: docs/operations/scaling.md, Files on S3.'

/** Whether a rule of any name lets all objects under the prefix expire as early as ours does. */
function covers(rule: string, prefix: string): boolean {
  const [expiration = ''] = elements(rule, 'Expiration')
  const days = Number(textOf(expiration, 'Days') ?? Number.NaN)
  const isForAll = !/<(?:Tag|ObjectSize\w+)>/.test(rule) && prefix.startsWith(textOf(rule, 'Prefix') ?? '')
  return isForAll && textOf(rule, 'Status') === 'Enabled' && days <= daysKept
}

const lifecycle = { key: '', query: { lifecycle: '' }, maxAttempts: 1 }

/** Returns undefined if the bucket has no rules. */
async function readRules(s3: S3Client): Promise<string[] | undefined> {
  try {
    const { body } = await s3.call({ method: 'GET', ...lifecycle })
    // Stores that do not support such rules may return a list of the bucket.
    if (!isWhole(body, 'LifecycleConfiguration')) throw new Error('the object store answered something else')
    return elements(body, 'Rule')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function writeRule(s3: S3Client, prefix: string): Promise<void> {
  const body = ruleFor(prefix)
  try {
    await s3.call({ method: 'PUT', ...lifecycle, body, checksum: sha256(body) })
  } catch (error) {
    if (!isUnsupported(error)) throw error
    // Older stores require this header for a rule. It protects nothing: the signature covers the SHA-256.
    const headers = { 'content-md5': createHash('md5').update(body).digest('base64') }
    await s3.call({ method: 'PUT', ...lifecycle, body, headers })
  }
}

/** Creates the rule if the bucket has none; rules made by other people are kept. */
async function ensureLifecycle(s3: S3Client, prefix: string, log: FastifyBaseLogger): Promise<void> {
  try {
    const rules = await readRules(s3)
    if (rules === undefined) await writeRule(s3, prefix)
    else if (!rules.some((rule) => covers(rule, prefix)))
      log.warn(`The S3 bucket has lifecycle rules of its own, and none lets these files expire. ${howTo(prefix)}`)
  } catch (error) {
    log.warn({ err: error }, `The S3 bucket has no lifecycle rule as a second net. ${howTo(prefix)}`)
  }
}

async function warnOfVersions(s3: S3Client, log: FastifyBaseLogger): Promise<void> {
  const { body } = await s3.call({ method: 'GET', key: '', query: { versioning: '' }, maxAttempts: 1 })
  if (textOf(body, 'Status') === 'Enabled')
    log.warn('The S3 bucket keeps old versions: destroyed files stay in it. Switch versioning off.')
}

function refusal(error: S3Error, { bucket }: S3Config): Error {
  const reason =
    error.status === 404
      ? `there is no bucket ${bucket}, or S3_PATH_STYLE does not fit. Make it, or set S3_BUCKET to one that exists`
      : `the keys are refused, or may not write to ${bucket}. Look at S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY and S3_REGION`
  return Object.assign(new Error(`The object store at S3_ENDPOINT cannot be used: ${reason} (${error.message}).`), {
    name: 'StorageRefused',
    cause: error,
  })
}

/** At the start: throws if only the operator can correct the problem; an absent store is waited for meanwhile. */
export async function prepareBucket(
  s3: S3Client,
  config: S3Config,
  log: FastifyBaseLogger,
  check: () => Promise<unknown>,
): Promise<void> {
  try {
    await check()
  } catch (error) {
    if (error instanceof S3Error && error.status < 500) throw refusal(error, config)
    log.warn({ err: error }, 'The object store does not answer. Files wait until it does.')
    return
  }
  await ensureLifecycle(s3, config.prefix, log)
  await warnOfVersions(s3, log).catch((error: unknown) => log.warn({ err: error }, 'versions of the S3 bucket'))
}
