import type { Translation } from '../../../i18n/language.ts'
import type { linkTexts as english } from './texts.ts'

export const linkTexts: Translation<typeof english> = {
  title: 'Diese Adresse öffnen?',
  lead: 'Sie öffnet sich in einem neuen Tab, außerhalb von Privity.',
  address: 'Adresse',
  website: 'Website',
  plain: 'Derselbe Name in einfachen Buchstaben',
  international: 'Der Name hat Buchstaben außerhalb von a bis z. Sie können aussehen wie die eines anderen Namens.',
  user: 'Was vor dem @ steht, ist nicht die Website.',
  open: 'Öffnen',
}
