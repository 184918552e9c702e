import type { FastifyServerOptions } from 'fastify'
import type { Config } from './config/types.ts'

const maxCauseDepth = 4

/**
 * PostgreSQL quotes a statement's values in its errors: always in the detail, and in the message if a value does not
 * have the form of its type (class 22).
 */
const quotesValues = (code: unknown) => typeof code === 'string' && /^22\w{3}$/.test(code)

interface DescribedError {
  [name: string]: unknown
  type: string
  message: string
  code?: string | number
  stack: string
  cause?: DescribedError
}

/**
 * Reduces an error to what may be logged: name, message, code, stack and cause. Other properties that a library adds
 * (the statement and its values, a request with its headers, a row) are left out.
 */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: '', stack: '' }
  const { code, cause, routine } = error as { code?: unknown; cause?: unknown; routine?: unknown }
  const message = quotesValues(code) && routine !== undefined ? 'a value was refused by the database' : error.message
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return {
    type: error.name,
    message,
    ...(typeof code === 'string' || typeof code === 'number' ? { code } : {}),
    stack: frames.join('\n'),
    ...(cause === undefined || depth === maxCauseDepth ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

/** Formats an error for a person at a terminal. */
export function errorText(error: unknown): string {
  const text = ({ type, code, message, stack, cause }: DescribedError): string =>
    [
      `${type}${code === undefined ? '' : ` ${code}`}: ${message}`,
      ...(stack === '' ? [] : [stack]),
      ...(cause === undefined ? [] : [`because of ${text(cause)}`]),
    ].join('\n')
  return text(describeError(error))
}

/** Writes one line of JSON per entry to standard output. */
export const loggerOptions = ({ logLevel }: Pick<Config, 'logLevel'>) =>
  ({
    level: logLevel,
    base: null,
    serializers: { err: (error: unknown) => describeError(error) },
  }) satisfies FastifyServerOptions['logger']
