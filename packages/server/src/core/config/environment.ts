import { isIP } from 'node:net'
import { readSecretFiles } from './secretFiles.ts'

/** Reads environment variables and collects their problems, so that all are reported together. */
export function createReader(env: Record<string, string | undefined>) {
  const problems: string[] = []
  const problem = (text: string) => void problems.push(text)

  const fromFiles = readSecretFiles(env, problem)

  const text = (name: string): string | undefined => {
    const value = (fromFiles[name] ?? env[name])?.trim()
    return value === undefined || value === '' ? undefined : value
  }

  function oneOf<T extends string>(name: string, allowed: readonly T[], otherwise: T): T {
    const value = text(name) ?? otherwise
    if ((allowed as readonly string[]).includes(value)) return value as T
    problem(`${name} is "${value}": use one of ${allowed.join(', ')}.`)
    return otherwise
  }

  function port(name: string, otherwise: number): number {
    const value = text(name)
    if (value === undefined) return otherwise
    if (/^\d{1,5}$/.test(value) && Number(value) <= 65535) return Number(value)
    problem(`${name} is "${value}": use a number from 0 to 65535 (0 takes any free port).`)
    return otherwise
  }

  function number(name: string, otherwise: number, least: number, most: number): number {
    const value = text(name)
    if (value === undefined) return otherwise
    if (/^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value)
    problem(`${name} is "${value}": use a number from ${least} to ${most}.`)
    return otherwise
  }

  /** A PostgreSQL address. It may hold a password, so no problem quotes it. */
  function database(name: string): string | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (/^postgres(?:ql)?:\/\//.test(value) && URL.canParse(value) && new URL(value).pathname.length > 1) return value
    problem(`${name} is not an address of a database: use postgresql://user:password@host:5432/database.`)
    return undefined
  }

  /** The address of a Valkey or Redis. It may hold a password, so no problem quotes it. */
  function valkey(name: string): string | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    const fits = URL.canParse(value) && /^(valkey|redis)s?:$/.test(new URL(value).protocol)
    if (fits && new URL(value).hostname !== '') return value
    problem(`${name} is not an address: use valkey://:password@host:6379, or valkeys:// for TLS.`)
    return undefined
  }

  function flag(name: string): boolean | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    if (['1', 'true', 'on', 'yes'].includes(value.toLowerCase())) return true
    if (['0', 'false', 'off', 'no'].includes(value.toLowerCase())) return false
    problem(`${name} is "${value}": use 1 or 0.`)
    return undefined
  }

  /** A duration such as 30s, 10m or 24h, in milliseconds. */
  function duration(name: string, otherwise: number, least: number, most: number): number {
    const value = text(name)
    if (value === undefined) return otherwise
    const found = /^(\d{1,6})(s|m|h)$/.exec(value)
    const length =
      found === null ? Number.NaN : Number(found[1]) * { s: 1000, m: 60_000, h: 3_600_000 }[found[2] as 's']
    if (length >= least && length <= most) return length
    problem(`${name} is "${value}": use a time from ${least / 1000}s to ${most / 3_600_000}h, such as 30s, 10m or 24h.`)
    return otherwise
  }

  /** The origin (https://chat.example.org) of an address without a path. */
  function origin(name: string): string | undefined {
    const value = text(name)
    if (value === undefined) return undefined
    const url = URL.canParse(value) ? new URL(value) : undefined
    if (
      url !== undefined &&
      /^https?:$/.test(url.protocol) &&
      url.pathname === '/' &&
      url.search === '' &&
      url.hash === ''
    )
      return url.origin
    problem(`${name} is "${value}": use the address people open, without a path, such as https://chat.example.org.`)
    return undefined
  }

  /** The number of proxies in front, or their addresses, whose X-Forwarded-For is trusted. */
  function proxies(name: string): false | number | string[] {
    const value = text(name)
    if (value === undefined || value === '0' || value === 'false') return false
    if (/^\d{1,2}$/.test(value)) return Number(value)
    const named = ['loopback', 'linklocal', 'uniquelocal']
    const list = value.split(',').map((part) => part.trim())
    const fits = (part: string) => named.includes(part) || isIP(part.split('/')[0] as string) !== 0
    if (list.every(fits)) return list
    problem(`${name} is "${value}": use the number of proxies in front, or their addresses separated by commas.`)
    return false
  }

  return { problems, problem, text, oneOf, port, number, database, valkey, flag, duration, origin, proxies }
}
