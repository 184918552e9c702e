import type { Core } from './core.ts'
import type { Letter } from './mail.ts'

type Mailing = Pick<Core, 'mail' | 'rates'>

/** A letter to a member, and the account in which its occasion arose. */
export interface MemberLetter extends Letter {
  account: string
}

/** One key per mailbox: case and a plus-tag (a+b@example.com) do not make another. */
export function mailboxOf(address: string): string {
  const [, local = '', domain = ''] = /^(.*)@([^@]*)$/s.exec(address.toLowerCase()) ?? [
    undefined,
    address.toLowerCase(),
  ]
  return `${local.replace(/\+.*$/s, '') || local}@${domain}`
}

/** Whether a letter to a member would be taken now. */
export function takesLetter({ mail, rates }: Mailing, { to, account }: Pick<MemberLetter, 'to' | 'account'>): boolean {
  try {
    rates.check('letter', mailboxOf(to))
    rates.check('accountLetter', account)
    return mail.configured
  } catch {
    return false
  }
}

/**
 * Mails a member about an event in an account. Nobody proves that an address is theirs, so letters are limited per
 * mailbox, from however many accounts, and per account, to however many mailboxes. A letter beyond is not sent.
 */
export function mailMember(mailing: Mailing, { account, ...letter }: MemberLetter): void {
  if (!takesLetter(mailing, { to: letter.to, account })) return
  mailing.rates.take('letter', mailboxOf(letter.to))
  mailing.rates.take('accountLetter', account)
  void mailing.mail.send(letter)
}
