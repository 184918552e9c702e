import type { Translation } from '../../i18n/language.ts'
import type { signOutTexts as english } from './texts.ts'

export const signOutTexts: Translation<typeof english> = {
  title: 'Abmelden und verwerfen, was nicht gesendet wurde?',
  sendings: 'Nachrichten oder Dateien wurden noch nicht gesendet.',
  drafts: 'Ein Text, den Sie geschrieben haben, wurde noch nicht gesendet.',
  lost: 'Wenn Sie sich jetzt abmelden, wird das verworfen.',
  confirm: 'Abmelden und verwerfen',
}
