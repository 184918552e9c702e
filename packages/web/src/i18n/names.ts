import { deviceTexts as texts } from './texts.ts'

export function fullName({ firstName, lastName }: { firstName: string; lastName: string }): string {
  return `${firstName} ${lastName}`.trim()
}

/** Translates the server's name of a browser, such as "Firefox on Linux" or "Unknown device". */
export function deviceName(name: string): string {
  if (name === 'Unknown device') return texts.unknown
  const [, browser, system] = /^(.+) on (.+)$/.exec(name) ?? []
  return browser && system ? texts.on(browser, system) : name
}
