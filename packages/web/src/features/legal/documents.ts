import { durationWords } from '@privity/contract/languages'
import { limits } from '@privity/contract/limits'
import threatModelDe from '../../../../../docs/threat-model.de.md?raw'
import threatModelEn from '../../../../../docs/threat-model.md?raw'
import type { Language } from '../../i18n/language.ts'
import { lifetime } from '../../i18n/retention.ts'
import privacyDe from './privacy.de.md?raw'
import privacyEn from './privacy.en.md?raw'
import termsDe from './terms.de.md?raw'
import termsEn from './terms.en.md?raw'

const documents = {
  terms: { en: termsEn, de: termsDe },
  privacy: { en: privacyEn, de: privacyDe },
  threatModel: { en: threatModelEn, de: threatModelDe },
} satisfies Record<string, Record<Language, string>>

export type DocumentName = keyof typeof documents

/** The document's Markdown with the times that this server keeps. */
export const documentText = (name: DocumentName, language: Language): string =>
  documents[name][language]
    .replaceAll('{lifetime}', lifetime[language])
    .replaceAll('{formerContactKept}', durationWords(limits.formerContactKept, language))
