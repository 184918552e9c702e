import { deviceTexts as texts } from './texts.ts'

export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim()
}

/** Translates the server's name of a browser, such as "Firefox on Linux" or "Unknown device". */
export function deviceName(given: string): string {
  if (given === 'Unknown device') return texts.unknown
  const [, browser, system] = /^(.+) on (.+)$/.exec(given) ?? []
  return browser && system ? texts.on(browser, system) : given
}
