import { isStrongEnough, measureStrength } from './strength.ts'
import { newPasswordTexts } from './texts.ts'

/** Words about the user that an attacker would try first. */
export const aboutSelf = (values: { firstName: string; lastName: string; username: string; email: string }) => [
  values.firstName,
  values.lastName,
  values.username,
  ...values.email.split('@'),
]

/** Returns the error message for a password that is too short or too weak; undefined if it is accepted. */
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
