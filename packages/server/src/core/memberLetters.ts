import type { Core } from './core.ts'
import type { Letter } from './mail.ts'

type Mailing = Pick<Core, 'mail' | 'rates'>

const keyOf = ({ to }: Pick<Letter, 'to'>) => to.toLowerCase()

/** Whether a letter to a member would be taken now. */
export function takesLetter({ mail, rates }: Mailing, letter: Pick<Letter, 'to'>): boolean {
  try {
    rates.check('letter', keyOf(letter))
    return mail.configured
  } catch {
    return false
  }
}

/**
 * Mails a member what he could cause himself. Nobody proves that an address is his, so none may be flooded, from however
 * many accounts it is entered in: more letters than that are not sent, and say nothing new.
 */
export function mailMember(mailing: Mailing, letter: Letter): void {
  if (!takesLetter(mailing, letter)) return
  mailing.rates.take('letter', keyOf(letter))
  void mailing.mail.send(letter)
}
