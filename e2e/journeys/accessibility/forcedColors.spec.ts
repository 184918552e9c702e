import type { Locator } from '@playwright/test'
import { composer, connectionRow, openConversation } from '../../support/members/conversation.ts'
import { moveTo } from '../../support/members/navigation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'

const system = { forcedColors: 'active' } as const

/** The colours drawn at the start edge and around an element in forced-colours mode. */
const edges = (element: Locator) =>
  element.evaluate((drawn) => {
    const { borderInlineStartWidth, borderInlineStartStyle, borderInlineStartColor } = getComputedStyle(drawn)
    return `${borderInlineStartWidth} ${borderInlineStartStyle} ${borderInlineStartColor}`
  })

const outline = (element: Locator) =>
  element.evaluate((drawn) => {
    const { outlineWidth, outlineStyle } = getComputedStyle(drawn)
    return `${outlineWidth} ${outlineStyle}`
  })

/** The system's selection colour, as computed styles write it. */
const highlight = (element: Locator) =>
  element.evaluate((drawn) => {
    const probe = drawn.appendChild(document.createElement('i'))
    probe.style.color = 'Highlight'
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  })

test('forced colours show what is selected, where a member is and what has the focus', async ({
  openBrowser,
  enterAs,
}) => {
  const page = await openBrowser(system)
  await enterAs(page, amara)

  await test.step('which conversation is selected', async () => {
    const row = connectionRow(page, helen)
    expect(await edges(row)).toMatch(/^0px/)
    await openConversation(page, helen)
    expect(await edges(row)).toBe(`6px solid ${await highlight(row)}`)
  })

  await test.step('what has the focus', async () => {
    await composer(page, helen).focus()
    expect(await outline(page.locator('.composer-in'))).toBe('2px solid')
    const focused = page.locator(':focus')
    for (let tabs = 0; tabs < 12; tabs++) {
      await page.keyboard.press('Tab')
      if ((await focused.count()) === 0) continue
      expect
        .soft(await outline(focused), await focused.evaluate((element) => element.outerHTML.slice(0, 90)))
        .toBe('2px solid')
    }
    await page.getByRole('button', { name: /^User menu/ }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem').first()).toBeFocused()
    expect(await outline(page.getByRole('menuitem').first())).toBe('2px solid')
    await page.keyboard.press('Escape')
  })

  await test.step('the current page and the chosen setting', async () => {
    await moveTo(page, '/settings')
    const entries = page.getByRole('navigation', { name: 'Account' })
    const current = entries.getByRole('link', { name: 'Settings', exact: true })
    expect(await edges(current)).toBe(`6px solid ${await highlight(current)}`)
    expect(await edges(entries.getByRole('link', { name: 'About' }))).toMatch(/^0px/)
    const chosen = page.locator('.seg [aria-checked=true]').first()
    expect(await edges(chosen)).toBe(`2px solid ${await highlight(chosen)}`)
  })
})
