import { deviceTexts as texts } from './texts.ts'

/** A browser as the server names it ("Firefox on Linux", "Unknown device"), in the words of the interface. */
export function deviceName(given: string): string {
  if (given === 'Unknown device') return texts.unknown
  const [, browser, system] = /^(.+) on (.+)$/.exec(given) ?? []
  return browser && system ? texts.on(browser, system) : given
}
