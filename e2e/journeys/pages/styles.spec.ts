import { openConversation } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { helen } from '../../support/members/people.ts'

test('a reload brings the style sheets in another order, and no order of them changes anything', async ({
  amaraPage: page,
}) => {
  await page.setViewportSize({ width: 768, height: 900 })
  // The server responds with the landing page, whose style sheet shares parts with this screen.
  await page.reload()
  await openConversation(page, helen)
  await expect(page.getByRole('button', { name: 'Back' })).toBeHidden()

  const changed = await page.evaluate(() => {
    const look = () =>
      [...document.querySelectorAll('body *')].map((part) => {
        const { x, y, width, height } = part.getBoundingClientRect()
        const { color, backgroundColor, fontSize } = getComputedStyle(part)
        return [part.tagName, part.getAttribute('class'), x, y, width, height, color, backgroundColor, fontSize].join(
          ' ',
        )
      })
    const before = look()
    // The first sheet declares the cascade layers and stays; we reverse the order of the other sheets.
    const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')].slice(1)
    const copies = links.map(({ sheet }) => {
      const copy = new CSSStyleSheet()
      copy.replaceSync([...(sheet?.cssRules ?? [])].map(({ cssText }) => cssText).join('\n'))
      return copy
    })
    for (const { sheet } of links) if (sheet) sheet.disabled = true
    const without = look()
    document.adoptedStyleSheets = copies.toReversed()
    const after = look()
    return {
      sheets: links.length,
      needed: without.some((line, i) => line !== before[i]),
      differences: before.filter((line, i) => line !== after[i]).slice(0, 5),
    }
  })
  expect(changed.sheets).toBeGreaterThan(5)
  expect(changed.needed, 'these sheets are what is looked at').toBe(true)
  expect(changed.differences).toEqual([])
})
