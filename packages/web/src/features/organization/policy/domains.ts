const label = /^[\p{L}\p{N}]([\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?$/u

export type DomainProblem = 'invalid' | 'known' | 'full'

/** Normalizes a typed domain: removes a leading @ and a trailing dot, and converts it to lower case. */
export const asDomain = (typed: string): string => typed.trim().replace(/^@/, '').replace(/\.$/, '').toLowerCase()

/** Why this domain cannot be added; undefined if it can. The server validates it again. */
export function problemOf(domain: string, list: readonly string[], most: number): DomainProblem | undefined {
  const parts = domain.split('.')
  const isDomain = parts.length > 1 && parts.every((part) => label.test(part)) && !/^\d+$/.test(parts.at(-1) ?? '')
  if (!isDomain || domain.length > 253) return 'invalid'
  if (list.includes(domain)) return 'known'
  return list.length >= most ? 'full' : undefined
}
