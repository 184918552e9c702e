import type { Letter, Mail } from './mailer.ts'
import type { Rates, Rule } from '../rateLimits/rateLimits.ts'

interface Mailing {
  mail: Mail
  rates: Rates
}

/** An email to a member, and the account that it is about. */
export interface MemberLetter extends Letter {
  account: string
  /** Reports a change that decides over the account, such as a new password or email address. */
  isAboutChange?: boolean
}

type Addressed = Pick<MemberLetter, 'to' | 'account' | 'isAboutChange'>

/** Returns one key per mailbox: case and a plus tag (a+b@example.com) make no difference. */
export function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(address.toLowerCase()) ?? [
    undefined,
    address.toLowerCase(),
  ]
  return `${local.replace(/\+.*$/s, '') || local}@${domain}`
}

/**
 * Rate limits of an email. One about a change counts by its account alone: otherwise accounts with the same mailbox,
 * and sign-ins, could use up the emails that report a takeover.
 */
const limitsOf = ({ to, account, isAboutChange = false }: Addressed): [rule: Rule, key: string][] =>
  isAboutChange
    ? [['changeLetter', account]]
    : [
        ['letter', mailboxOf(to)],
        ['accountLetter', account],
      ]

/** Whether an email to a member would be sent now. */
export function takesLetter({ mail, rates }: Mailing, addressed: Addressed): boolean {
  try {
    for (const [rule, key] of limitsOf(addressed)) rates.check(rule, key)
    return mail.configured
  } catch {
    return false
  }
}

/**
 * Mails a member about an event in an account. Addresses are not verified, so emails are limited per mailbox, from any
 * number of accounts, and per account, to any number of mailboxes; those about changes per account only. Emails beyond
 * a limit are not sent.
 */
export function mailMember(mailing: Mailing, { account, isAboutChange = false, ...letter }: MemberLetter): void {
  const addressed = { to: letter.to, account, isAboutChange }
  if (!takesLetter(mailing, addressed)) return
  for (const [rule, key] of limitsOf(addressed)) mailing.rates.take(rule, key)
  void mailing.mail.send(letter)
}
