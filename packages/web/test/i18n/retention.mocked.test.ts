import { afterAll, beforeAll, expect, test, vi } from 'vitest'

type Texts = Record<string, unknown>

/** Texts of the landing page and of the documents, as a server with a retention of 10 minutes shows them. */
beforeAll(() => vi.stubGlobal('document', { documentElement: { dataset: { retention: '600000' } } }))
afterAll(() => vi.unstubAllGlobals())

/** Times that no server can configure. */
const fixed = /(for|für) 24 (hours|Stunden),? (with whom|mit wem)/

test.each(['en', 'de'] as const)('the documents state the retention of the server, %s', async (language) => {
  const { documentText } = await import('../../src/features/legal/Document.tsx')
  for (const name of ['terms', 'privacy'] as const) {
    const text = documentText(name, language).replace(fixed, '')
    expect(text).toContain(language === 'en' ? '10 minutes' : '10 Minuten')
    expect(text).not.toMatch(/24|\{/)
  }
})

test.each(['texts', 'texts.de'])('the landing page states the retention of the server, %s', async (file) => {
  const texts = (await import(`../../src/features/landing/${file}.ts`)) as Record<string, Texts>
  const said = JSON.stringify(texts)
  expect(said).toMatch(/10 (minutes|Minuten)/)
  expect(said).not.toMatch(/24 (hours|Stunden)/)
})
