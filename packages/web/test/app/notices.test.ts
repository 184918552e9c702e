import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, test } from 'vitest'
import { ClockNotice, dismissed } from '../../src/app/screens/Notices.tsx'

const render = (differs: boolean) =>
  renderToStaticMarkup(
    createElement(ClockNotice, { client: { clockDiffers: { get: () => differs, subscribe: () => () => {} } } }),
  )

beforeEach(() => dismissed.set(undefined))

test('clocks that are far apart are said with a button that dismisses the notice', () => {
  const html = render(true)
  expect(html).toContain('more than 10 minutes')
  expect(html).toMatch(/<button[^>]*>.*Dismiss.*<\/button>/)
})

test('clocks that agree are not mentioned', () => {
  expect(render(false)).toBe('')
})

test('the notice about the clocks is shown once', () => {
  dismissed.set('dismissed')
  expect(render(true)).toBe('')
})
