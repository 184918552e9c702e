import { domainToASCII } from 'node:url'
import { AppError } from '@privity/contract/errors'
import type { Reader } from '../../../core/database/types.ts'
import { fullPolicyOf } from './effectivePolicy.ts'

const form = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/

/**
 * A domain in the form that is compared: lower case, international letters as xn--, without a leading @ or a trailing
 * dot. Undefined if no email address can have it: IP addresses, patterns, single names.
 */
export function normaliseDomain(text: string): string | undefined {
  const named = text.trim().replace(/^@/, '').replace(/\.$/, '')
  const ascii = domainToASCII(named.normalize('NFKC').toLowerCase())
  return form.test(ascii) ? ascii : undefined
}

/**
 * The list as it is stored: normalised, without duplicates, in the order given. Throws INVALID_INPUT for an entry that
 * is not a domain.
 */
export function normaliseDomains(domains: readonly string[]): string[] {
  const normalised = domains.map(normaliseDomain)
  const details = normalised.flatMap((domain, at) =>
    domain === undefined
      ? [{ path: `allowedEmailDomains.${at}`, message: 'Enter a domain, for example example.com.' }]
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
  const { allowedEmailDomains } = await fullPolicyOf(db, organizationId)
  if (!isAllowed(email, allowedEmailDomains)) throw new AppError('EMAIL_DOMAIN_REFUSED')
}
