import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

type Welcome = (facts: object, seed: () => Promise<boolean>, print: (text: string) => void) => Promise<void>
const module = fileURLToPath(new URL('../welcome.mjs', import.meta.url))
const { welcome } = (await import(module)) as { welcome: Welcome }

const facts = {
  type: 'started',
  url: 'http://localhost:3000',
  dataDir: 'data',
  demo: { username: 'demo', password: 'of demo', other: { username: 'other', password: 'of other' } },
  founder: { username: 'founder', password: 'shown once' },
  invitation: 'a-token',
}

test('what is shown once is printed before the demo accounts are made, and the rest after', async () => {
  const printed: string[] = []
  let [end, before] = [(_done: boolean) => {}, '']
  const seed = () => new Promise<boolean>((resolve) => ((end = resolve), (before = printed.join('\n'))))
  const welcomed = welcome(facts, seed, (text) => void printed.push(text))
  expect(before).toContain('shown once')
  expect(before).toContain('a-token')
  expect(before).not.toContain('is ready')
  end(true)
  await welcomed
  expect(printed.join('\n')).toMatch(/is ready: http:\/\/localhost:3000\n[^]*of demo\n[^]*of other/)
})
