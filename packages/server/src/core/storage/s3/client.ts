import { createHash } from 'node:crypto'
import * as http from 'node:http'
import * as https from 'node:https'
import { setTimeout as wait } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { S3Config } from '../../config/types.ts'
import { isRetryable, S3Error } from './errors.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Key of an object, with the prefix; '' for the bucket. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Buffer
  /** SHA-256 of the body, from `sha256`; sent along so that the store refuses bytes altered on the way. */
  checksum?: Buffer
  signal?: AbortSignal
  maxAttempts?: number
}

export interface S3Response {
  headers: http.IncomingHttpHeaders
  body: string
}

export interface S3Client {
  /** Retries retryable failures. Throws an S3Error for a refusal. */
  call(request: S3Request): Promise<S3Response>
  /** Returns a response of any status whose body the caller reads or destroys; tried once. */
  stream(request: S3Request): Promise<http.IncomingMessage>
  /** Waits before the next attempt, longer after each failure. Rejects when aborted. */
  backOff(failures: number, signal?: AbortSignal): Promise<void>
  timing: S3Timing
}

export interface S3Timing {
  /** How long a connection may be silent. */
  silenceTimeoutMs: number
  /** How long a request and its whole response may take. */
  callTimeoutMs: number
  /** The longest pause before the second attempt; doubled before each later one. */
  retryPauseMs: number
}

const defaultTiming: S3Timing = { silenceTimeoutMs: 30_000, callTimeoutMs: 5 * 60_000, retryPauseMs: 200 }
const defaultMaxAttempts = 5
/** Enough for a page of a list, which has at most a thousand names. */
const maxResponseLength = 4 * 1024 * 1024

export const sha256 = (body: Buffer | undefined): Buffer =>
  createHash('sha256')
    .update(body ?? '')
    .digest()

async function readBody(response: http.IncomingMessage): Promise<string> {
  let body = ''
  response.setEncoding('utf8')
  for await (const chunk of response as AsyncIterable<string>) {
    body += chunk
    if (body.length > maxResponseLength) throw new Error('the object store’s answer is too long')
  }
  if (!response.complete) throw new Error('the object store’s answer broke off')
  return body
}

/** Creates a client that signs each request and follows no redirect. */
export function createS3Client(config: S3Config, timing: S3Timing = defaultTiming): S3Client {
  const { endpoint, bucket, region, accessKeyId, secretAccessKey, pathStyle } = config
  const base = new URL(endpoint)
  if (pathStyle) base.pathname = `/${bucket}/`
  else base.host = `${bucket}.${base.host}`
  const { Agent, request: open } = base.protocol === 'https:' ? https : http
  const agent = new Agent({ keepAlive: true })
  const signer = { accessKeyId, secretAccessKey, region, service: 's3', cache: new Map<string, ArrayBuffer>() }

  async function sign({ method, key, query = {}, headers = {}, body, checksum }: S3Request) {
    const url = new URL(key, base)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const toSign = {
      ...headers,
      'x-amz-content-sha256': (checksum ?? sha256(body)).toString('hex'),
      ...(checksum && { 'x-amz-checksum-sha256': checksum.toString('base64') }),
    }
    const signed = await new AwsV4Signer({ ...signer, method, url: url.href, headers: toSign }).sign()
    return { url, headers: Object.fromEntries(signed.headers) }
  }

  async function stream(request: S3Request): Promise<http.IncomingMessage> {
    const { method, body, signal } = request
    const { url, headers } = await sign(request)
    return new Promise((resolve, reject) => {
      const sent = open(url, { method, agent, headers, ...(signal && { signal }) }, resolve)
      sent.setTimeout(timing.silenceTimeoutMs, () => sent.destroy(new Error('the object store does not answer')))
      sent.on('error', reject)
      sent.end(body)
    })
  }

  async function attempt(request: S3Request): Promise<S3Response> {
    const deadline = AbortSignal.timeout(timing.callTimeoutMs)
    const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline
    const response = await stream({ ...request, signal })
    const body = await readBody(response)
    const { statusCode: status = 0, headers } = response
    // A multipart upload that is completed late reports its failure in a response that began as a success.
    if (status >= 300 || body.includes('<Error>')) throw new S3Error(request.method, status < 300 ? 500 : status, body)
    return { headers, body }
  }

  async function backOff(failures: number, signal?: AbortSignal): Promise<void> {
    await wait(Math.random() * timing.retryPauseMs * 2 ** (failures - 1), undefined, signal && { signal })
  }

  async function call(request: S3Request): Promise<S3Response> {
    const { signal, maxAttempts = defaultMaxAttempts } = request
    for (let failures = 1; ; failures++) {
      try {
        return await attempt(request)
      } catch (error) {
        if (signal?.aborted || failures >= maxAttempts || !isRetryable(error)) throw error
        await backOff(failures, signal)
      }
    }
  }

  return { call, stream, backOff, timing }
}
