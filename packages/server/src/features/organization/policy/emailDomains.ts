import { domainToASCII } from 'node:url'
import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../../core/database/types.ts'
import { effectivePolicyOf } from './effectivePolicy.ts'

const domainForm = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * Returns a domain in the form that is compared: lower case, international letters as xn--, without a leading @ or a
 * trailing dot; undefined if no email address can have it (IP addresses, patterns, single names).
 */
export function normaliseDomain(text: string): string | undefined {
  const name = text.trim().replace(/^@/, '').replace(/\.$/, '')
  const ascii = domainToASCII(name.normalize('NFKC').toLowerCase())
  return domainForm.test(ascii) ? ascii : undefined
}

/** Normalises a list and removes duplicates, keeping its order. Throws INVALID_INPUT for an entry that is no domain. */
export function normaliseDomains(domains: readonly string[]): string[] {
  const normalised = domains.map(normaliseDomain)
  const details = normalised.flatMap((domain, index) =>
    domain === undefined
      ? [{ path: `allowedEmailDomains.${index}`, message: 'Enter a domain, for example example.com.' }]
      : [],
  )
  if (details.length > 0) throw new AppError('INVALID_INPUT', { details })
  return [...new Set(normalised.filter((domain) => domain !== undefined))]
}

/** A domain allows its own addresses, but not those of its subdomains; an empty list allows all. */
export function isAllowed(email: string, domains: readonly string[]): boolean {
  if (domains.length === 0) return true
  const domain = normaliseDomain(email.slice(email.lastIndexOf('@') + 1))
  return domain !== undefined && domains.includes(domain)
}

/** Throws EMAIL_DOMAIN_REFUSED if the organization does not accept this address. */
export async function checkEmailDomain(db: Reader, organizationId: string, email: string): Promise<void> {
  const { allowedEmailDomains } = await effectivePolicyOf(db, organizationId)
  if (!isAllowed(email, allowedEmailDomains)) throw new AppError('EMAIL_DOMAIN_REFUSED')
}
