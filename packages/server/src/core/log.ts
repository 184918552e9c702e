import type { FastifyServerOptions } from 'fastify'
import type { Config } from './config/config.ts'

/** How deep causes are followed. */
const mostCauses = 4

/**
 * PostgreSQL writes the values of a statement into what it says of a mistake: into the detail always, and into the
 * message where a value has not the form of its type (class 22).
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
 * What of an error is for the log: its name, message, code, stack and cause. Whatever else a library hung on it (the
 * statement and its values, a request with its headers, a row) stays out.
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
    ...(cause === undefined || depth === mostCauses ? {} : { cause: describeError(cause, depth + 1) }),
  }
}

/** The same for a person at a terminal. */
export function errorText(error: unknown): string {
  const text = ({ type, code, message, stack, cause }: DescribedError): string =>
    [
      `${type}${code === undefined ? '' : ` ${code}`}: ${message}`,
      ...(stack === '' ? [] : [stack]),
      ...(cause === undefined ? [] : [`because of ${text(cause)}`]),
    ].join('\n')
  return text(describeError(error))
}

/** One line of JSON each, on standard output. */
export const loggerOptions = ({ logLevel }: Pick<Config, 'logLevel'>) =>
  ({
    level: logLevel,
    base: null,
    serializers: { err: (error: unknown) => describeError(error) },
  }) satisfies FastifyServerOptions['logger']
