import { type Language, sayRefusalsIn } from './language.ts'
import { errorSentences } from './refusals.de.ts'
import { isolating } from '../ui/translation.ts'

type Texts = Record<string, unknown>
type Modules = Record<string, Record<string, Texts>>

const english: Modules = import.meta.glob(['../**/texts.ts', '!../founder/**'], { eager: true })
const german: Modules = import.meta.glob('../**/texts.de.ts', { eager: true })

const isNested = (value: unknown): value is Texts => typeof value === 'object' && value !== null

/** Copies values into `into` recursively and keeps its objects, because other modules hold references to them. */
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

/** Each feature's texts object with its values in both languages. */
const all = Object.entries(english).flatMap(([path, exported]) =>
  Object.entries(exported).map(([name, texts]) => ({
    texts,
    en: copy(texts),
    de: isolating(german[path.replace('texts.ts', 'texts.de.ts')]?.[name] ?? {}),
  })),
)

/** Copies one language's values into all texts objects. The screens must be rendered again afterwards. */
export function speak(language: Language): void {
  for (const each of all) put(each.texts, each[language])
  sayRefusalsIn(language === 'de' ? errorSentences : undefined)
}
