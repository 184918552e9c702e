import type { Language } from '@privity/contract/languages'
import type { Email, Mail } from './mailer.ts'
import type { Rates, Rule } from '../rateLimits/rateLimits.ts'
import { germanEmails } from './texts.de.ts'
import { englishEmails, type EmailTexts } from './texts.ts'

export const emailTexts: Record<Language, EmailTexts> = { en: englishEmails, de: germanEmails }

interface MailDependencies {
  mail: Mail
  rates: Rates
}

/** An email to a member about their account. */
export interface MemberEmail extends Email {
  account: string
  /**
   * Set if the email reports a change of access to the account, such as a new password. The first email of each
   * guarantee, account and hour is sent regardless of the other limits.
   */
  guarantee?: 'email_changed' | 'login_notifications_off' | 'browsers' | 'second_factor_reset' | 'other_change'
}

type Recipient = Pick<MemberEmail, 'to' | 'account' | 'guarantee'>

/** Returns the mailbox of an address, by ignoring case and a plus tag (a+b@example.com). */
export function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(address.toLowerCase()) ?? [
    undefined,
    address.toLowerCase(),
  ]
  return `${local.replace(/\+.*$/s, '') || local}@${domain}`
}

type Limit = [rule: Rule, key: string]

const admits = (rates: Rates, limits: readonly Limit[]): boolean => {
  try {
    for (const [rule, key] of limits) rates.check(rule, key)
    return true
  } catch {
    return false
  }
}

/**
 * Returns the rate limits that count an email, or undefined if they do not admit it. Emails about changes count apart
 * from the others. The guaranteed ones count per account only: otherwise sign-ins, or other accounts with the same
 * mailbox, could use up the email that reports a takeover.
 */
function limitsFor(rates: Rates, { to, account, guarantee }: Recipient): Limit[] | undefined {
  const mailbox = mailboxOf(to)
  const shared: Limit[] =
    guarantee === undefined
      ? [
          ['mailboxEmail', mailbox],
          ['accountEmail', account],
        ]
      : [
          ['mailboxChangeEmail', mailbox],
          ['changeEmail', account],
        ]
  const guaranteed: Limit[] = [['guaranteedEmail', `${account} ${guarantee}`]]
  if (guarantee !== undefined && admits(rates, guaranteed)) return guaranteed
  return admits(rates, shared) ? shared : undefined
}

/** Whether mail is configured and the rate limits admit another email to this member. */
export const canMailMember = ({ mail, rates }: MailDependencies, recipient: Recipient): boolean =>
  mail.configured && limitsFor(rates, recipient) !== undefined

/**
 * Mails a member about an event in their account; drops emails beyond a rate limit. Addresses are not verified, so
 * emails are limited both per mailbox and per account.
 */
export function mailMember({ mail, rates }: MailDependencies, { account, guarantee, ...email }: MemberEmail): void {
  if (!mail.configured) return
  const limits = limitsFor(rates, { to: email.to, account, guarantee })
  if (limits === undefined) return
  for (const [rule, key] of limits) rates.take(rule, key)
  void mail.send(email)
}
