/** The languages of the product's texts; a member's preference names one of them. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

const second = 1000
const minute = 60 * second
const hour = 60 * minute

/** Milliseconds in words, such as '24 hours' or '10 Minuten': the largest unit of which it is a whole number. */
export function durationWords(ms: number, language: Language): string {
  const [unit, count] =
    ms % hour === 0 ? ['hour', ms / hour] : ms % minute === 0 ? ['minute', ms / minute] : ['second', ms / second]
  const format = { style: 'unit', unit, unitDisplay: 'long', maximumFractionDigits: 0 } as const
  return new Intl.NumberFormat(language, format).format(count)
}
