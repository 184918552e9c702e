import { isStrongEnough, measureStrength } from './strength.ts'
import { newPasswordTexts } from './texts.ts'

/** Words that a guesser of this person's password would try first. */
export const aboutSelf = (values: { firstName: string; lastName: string; username: string; email: string }) => [
  values.firstName,
  values.lastName,
  values.username,
  ...values.email.split('@'),
]

/** The sentence for a password that may not be used; undefined when it may. */
export async function checkNewPassword(password: string, about: string[]): Promise<string | undefined> {
  const texts = newPasswordTexts.errors
  try {
    const strength = await measureStrength(password, about)
    if (!strength.longEnough) return texts.short
    return isStrongEnough(strength) ? undefined : texts.weak
  } catch (error) {
    console.error(error)
    return texts.unknown
  }
}
