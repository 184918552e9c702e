import { type Language, sayRefusalsIn } from './language.ts'
import { errorSentences } from './refusals.de.ts'
import { isolating } from '../ui/bidiIsolation.ts'

type Texts = Record<string, unknown>
type Modules = Record<string, Record<string, Texts>>

const english: Modules = import.meta.glob(['../**/texts.ts', '!../founder/**'], { eager: true })
const german: Modules = import.meta.glob('../**/texts.de.ts', { eager: true })

const isNested = (value: unknown): value is Texts => typeof value === 'object' && value !== null

/** Puts the values of `from` into `into` and leaves its objects in place, which others may hold. */
function put(into: Texts, from: Texts): void {
  for (const [name, value] of Object.entries(from)) {
    const before = into[name]
    if (isNested(value) && isNested(before)) put(before, value)
    else into[name] = value
  }
}

const copy = <T>(value: T): T =>
  Array.isArray(value)
    ? (value.map(copy) as T)
    : isNested(value)
      ? (Object.fromEntries(Object.entries(value).map(([name, each]) => [name, copy(each)])) as T)
      : value

/** Each feature's object of texts, with what stands in it in either language. */
const all = Object.entries(english).flatMap(([path, exported]) =>
  Object.entries(exported).map(([name, texts]) => ({
    texts,
    en: copy(texts),
    de: isolating(german[path.replace('texts.ts', 'texts.de.ts')]?.[name] ?? {}),
  })),
)

/** Puts the values of one language into every feature's texts. What is shown has to be drawn anew after it. */
export function speak(language: Language): void {
  for (const each of all) put(each.texts, each[language])
  sayRefusalsIn(language === 'de' ? errorSentences : undefined)
}
