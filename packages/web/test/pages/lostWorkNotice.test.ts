import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { LostWork } from '../../src/pages/notices/LostWorkNotice.tsx'
import { noticeTexts as german } from '../../src/pages/notices/texts.de.ts'
import { noticeTexts as english } from '../../src/pages/notices/texts.ts'

test('lost unsent messages are told with their number, the reason, and a button to dismiss', () => {
  const html = renderToStaticMarkup(createElement(LostWork, { count: 3, onDismiss: () => {} }))
  expect(html).toContain('3 unsent messages or drafts in this browser were removed')
  expect(html).toContain('Your keys were replaced')
  expect(html).toMatch(/<button[^>]*>.*Dismiss.*<\/button>/)
})

test('both languages tell one lost message apart from several', () => {
  expect(english.lostWorkHint(1)).toMatch(/^One unsent message or draft .* was removed/)
  expect(german.lostWorkHint(1)).toMatch(/^Eine nicht gesendete Nachricht oder ein Entwurf .* wurde entfernt/)
  expect(german.lostWorkHint(3)).toMatch(/^3 nicht gesendete Nachrichten oder Entwürfe .* wurden entfernt/)
})
