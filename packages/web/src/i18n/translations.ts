import { defaultLanguage, type Language } from '@privity/contract/languages'
import { isolating } from '../ui/translation.ts'
import { setErrorTranslations } from './language.ts'

type Texts = Record<string, unknown>
type Modules = Record<string, Record<string, Texts>>

const english: Modules = import.meta.glob(['../**/texts.ts', '!../founder/**'], { eager: true })
const translated: Modules = import.meta.glob('../**/texts.*.ts', { eager: true })
const errors: Record<string, { errorSentences: Record<string, string> }> = import.meta.glob('./errors.*.ts', {
  eager: true,
})

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

/** Each feature's texts object, with its English values and the path of its translations without language. */
const all = Object.entries(english).flatMap(([path, exported]) =>
  Object.entries(exported).map(([name, texts]) => ({
    texts,
    name,
    path: path.replace(/\.ts$/, ''),
    english: copy(texts),
  })),
)

/** Copies one language's values into all texts objects. The screens must be rendered again afterwards. */
export function speak(language: Language): void {
  for (const { texts, name, path, english } of all)
    put(texts, language === defaultLanguage ? english : isolating(translated[`${path}.${language}.ts`]?.[name] ?? {}))
  setErrorTranslations(errors[`./errors.${language}.ts`]?.errorSentences)
}
