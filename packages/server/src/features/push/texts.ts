import type { Language } from '@privity/contract/languages'

/** The whole text of a push: a browser shows it on a locked screen. */
export const newMessageText: Record<Language, string> = { en: 'New message', de: 'Neue Nachricht' }
