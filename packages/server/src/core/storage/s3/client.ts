import { createHash } from 'node:crypto'
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { Agent as HttpsAgent, request as requestHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Config } from '../../config/types.ts'
import { isRetryable, S3Failure } from './errors.ts'

export interface S3Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of an object, with the prefix; '' for the bucket. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  /** SHA-256 of the body, from `checksumOf`; sent along so that the store refuses bytes altered on the way. */
  checksum?: Buffer
  signal?: AbortSignal
  /** Maximum number of attempts. */
  attempts?: number
}

export interface S3Answer {
  headers: IncomingMessage['headers']
  body: string
}

export interface S3Client {
  /** Retries failures that may pass. Throws an S3Failure for a refusal. */
  call(call: S3Call): Promise<S3Answer>
  /** Returns a response whose body the caller reads or destroys; tried once. */
  stream(call: S3Call): Promise<IncomingMessage>
  /** Waits before the next attempt, longer after each failure. Rejects when aborted. */
  rest(failures: number, signal?: AbortSignal): Promise<void>
  timing: S3Timing
}

export interface S3Timing {
  /** How long a connection may be silent, ms. */
  silence: number
  /** How long a request and its whole response may take, ms. */
  whole: number
  /** The longest pause before the second attempt, ms; doubled before each later one. */
  pause: number
}

const usual: S3Timing = { silence: 30_000, whole: 5 * 60_000, pause: 200 }
const mostAttempts = 5
/** A list has a thousand names per page. */
const longestAnswer = 4 * 1024 * 1024

export const checksumOf = (body: Buffer | undefined): Buffer =>
  createHash('sha256')
    .update(body ?? '')
    .digest()

async function readBody(answer: IncomingMessage): Promise<string> {
  let body = ''
  answer.setEncoding('utf8')
  for await (const part of answer as AsyncIterable<string>) {
    body += part
    if (body.length > longestAnswer) throw new Error('the object store’s answer is too long')
  }
  if (!answer.complete) throw new Error('the object store’s answer broke off')
  return body
}

/** Creates a client that signs each request and follows no redirect. */
export function createS3Client(config: S3Config, timing: S3Timing = usual): S3Client {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle } = config
  const secure = endpoint.startsWith('https:')
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })
  const base = new URL(endpoint)
  if (pathStyle) base.pathname = `/${bucket}/`
  else base.host = `${bucket}.${base.host}`
  const cache = new Map<string, ArrayBuffer>()

  async function sign({ method, key, query = {}, headers = {}, body, checksum }: S3Call) {
    const url = new URL(key, base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: {
        ...headers,
        'x-amz-content-sha256': (checksum ?? checksumOf(body)).toString('hex'),
        ...(checksum && { 'x-amz-checksum-sha256': checksum.toString('base64') }),
      },
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache,
    })
    const signed = await signer.sign()
    return { url, headers: Object.fromEntries(signed.headers) }
  }

  async function stream(call: S3Call): Promise<IncomingMessage> {
    const { method, body, signal } = call
    const { url, headers } = await sign(call)
    const length =
      body === undefined && method !== 'PUT' && method !== 'POST' ? {} : { 'content-length': body?.length ?? 0 }
    return new Promise((resolve, reject) => {
      const options = { method, agent, headers: { ...headers, ...length }, ...(signal && { signal }) }
      const request: ClientRequest = secure ? requestHttps(url, options) : requestHttp(url, options)
      request.setTimeout(timing.silence, () => request.destroy(new Error('the object store does not answer')))
      request.on('error', reject)
      request.on('response', resolve)
      request.end(body)
    })
  }

  async function once(call: S3Call): Promise<S3Answer> {
    const tooLong = AbortSignal.timeout(timing.whole)
    const answer = await stream({ ...call, signal: call.signal ? AbortSignal.any([call.signal, tooLong]) : tooLong })
    const body = await readBody(answer)
    const status = answer.statusCode ?? 0
    // A multipart upload that is completed late reports its failure in a response that began as a success.
    if (status >= 300 || body.includes('<Error>')) throw new S3Failure(call.method, status < 300 ? 500 : status, body)
    return { headers: answer.headers, body }
  }

  async function rest(failures: number, signal?: AbortSignal): Promise<void> {
    await pause(Math.random() * timing.pause * 2 ** (failures - 1), undefined, signal && { signal })
  }

  async function call(wanted: S3Call): Promise<S3Answer> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await once(wanted)
      } catch (error) {
        if (wanted.signal?.aborted || attempt >= (wanted.attempts ?? mostAttempts) || !isRetryable(error)) throw error
        await rest(attempt, wanted.signal)
      }
    }
  }

  return { call, stream, rest, timing }
}
