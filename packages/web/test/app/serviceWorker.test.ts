import { expect, test } from 'vitest'
import { entryOfPage } from '../../src/app/serviceWorker.ts'

const origin = 'https://privity.test'
const page = (dataset: DOMStringMap, src: string | null) => ({
  documentElement: { dataset },
  querySelector: () => (src === null ? null : ({ getAttribute: () => src } as unknown as Element)),
})

test('a page names its build by its script, the landing page by what it will load', () => {
  const entry = `${origin}/assets/index-a.js`
  expect(entryOfPage(page({}, '/assets/index-a.js'), origin)).toBe(entry)
  expect(entryOfPage(page({ code: '/assets/index-a.js /assets/other-b.js' }, null), origin)).toBe(entry)
  expect(entryOfPage(page({}, null), origin)).toBeUndefined()
})
