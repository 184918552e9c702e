import type { Core } from '../core.ts'
import type { Letter } from './mailer.ts'
import type { Rule } from '../rateLimits/rateLimits.ts'

type Mailing = Pick<Core, 'mail' | 'rates'>

/** A letter to a member, and the account in which its occasion arose. */
export interface MemberLetter extends Letter {
  account: string
  /** Tells of what decides over the account, such as another password or email address. */
  isAboutChange?: boolean
}

type Addressed = Pick<MemberLetter, 'to' | 'account' | 'isAboutChange'>

/** One key per mailbox: case and a plus-tag (a+b@example.com) do not make another. */
export function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(address.toLowerCase()) ?? [
    undefined,
    address.toLowerCase(),
  ]
  return `${local.replace(/\+.*$/s, '') || local}@${domain}`
}

/**
 * The limits of a letter. One about a change counts by its account alone: other accounts with the same mailbox and
 * sign-ins could otherwise use up the letters that tell of a takeover.
 */
const limitsOf = ({ to, account, isAboutChange = false }: Addressed): [rule: Rule, key: string][] =>
  isAboutChange
    ? [['changeLetter', account]]
    : [
        ['letter', mailboxOf(to)],
        ['accountLetter', account],
      ]

/** Whether a letter to a member would be taken now. */
export function takesLetter({ mail, rates }: Mailing, addressed: Addressed): boolean {
  try {
    for (const [rule, key] of limitsOf(addressed)) rates.check(rule, key)
    return mail.configured
  } catch {
    return false
  }
}

/**
 * Mails a member about an event in an account. Nobody proves that an address is theirs, so letters are limited per
 * mailbox, from however many accounts, and per account, to however many mailboxes; those about changes per account. A
 * letter beyond is not sent.
 */
export function mailMember(mailing: Mailing, { account, isAboutChange = false, ...letter }: MemberLetter): void {
  const addressed = { to: letter.to, account, isAboutChange }
  if (!takesLetter(mailing, addressed)) return
  for (const [rule, key] of limitsOf(addressed)) mailing.rates.take(rule, key)
  void mailing.mail.send(letter)
}
