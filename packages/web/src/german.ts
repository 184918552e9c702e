import type { Language } from './core/language.ts'

type Texts = Record<string, object>
type Modules = Record<string, Record<string, Texts>>

const english: Modules = import.meta.glob('./**/texts.ts', { eager: true })
const german: Modules = import.meta.glob('./**/texts.de.ts', { eager: true })

/** Each feature's object of texts, with what stands in it in either language. */
const all = Object.entries(english).flatMap(([path, exported]) =>
  Object.entries(exported).map(([name, texts]) => ({
    texts,
    en: { ...texts },
    de: german[path.replace('texts.ts', 'texts.de.ts')]?.[name] ?? {},
  })),
)

/** Puts the values of one language into every feature's texts. What is shown has to be drawn anew after it. */
export function speak(language: Language): void {
  for (const each of all) Object.assign(each.texts, each.en, each[language])
}
