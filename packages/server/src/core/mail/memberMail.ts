import type { Email, Mail } from './mailer.ts'
import type { Rates, Rule } from '../rateLimits/rateLimits.ts'

interface MailDependencies {
  mail: Mail
  rates: Rates
}

/** An email to a member about their account. */
export interface MemberEmail extends Email {
  account: string
  /** Whether it reports a change of access to the account, such as a new password or email address. */
  isAboutChange?: boolean
}

type Recipient = Pick<MemberEmail, 'to' | 'account' | 'isAboutChange'>

/** Returns the mailbox of an address, by ignoring case and a plus tag (a+b@example.com). */
export function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(address.toLowerCase()) ?? [
    undefined,
    address.toLowerCase(),
  ]
  return `${local.replace(/\+.*$/s, '') || local}@${domain}`
}

/**
 * Returns the rate limits of an email. Emails about changes count apart and per account only: otherwise sign-ins, or
 * other accounts with the same mailbox, could use up the emails that report a takeover.
 */
const limitsOf = ({ to, account, isAboutChange = false }: Recipient): [rule: Rule, key: string][] =>
  isAboutChange
    ? [['changeEmail', account]]
    : [
        ['mailboxEmail', mailboxOf(to)],
        ['accountEmail', account],
      ]

/** Whether mail is configured and the rate limits admit another email to this member. */
export function canMailMember({ mail, rates }: MailDependencies, recipient: Recipient): boolean {
  try {
    for (const [rule, key] of limitsOf(recipient)) rates.check(rule, key)
    return mail.configured
  } catch {
    return false
  }
}

/**
 * Mails a member about an event in their account; drops emails beyond a rate limit. Addresses are not verified, so
 * emails are limited both per mailbox and per account.
 */
export function mailMember(
  dependencies: MailDependencies,
  { account, isAboutChange = false, ...email }: MemberEmail,
): void {
  const recipient = { to: email.to, account, isAboutChange }
  if (!canMailMember(dependencies, recipient)) return
  for (const [rule, key] of limitsOf(recipient)) dependencies.rates.take(rule, key)
  void dependencies.mail.send(email)
}
