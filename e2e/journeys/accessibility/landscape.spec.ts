import type { Page } from '@playwright/test'
import { composer, openConversation, send, sees } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { helen } from '../../support/members/people.ts'

const boxOf = async (page: Page, selector: string) => {
  const box = await page.locator(selector).boundingBox()
  return { x: 0, y: 0, width: 0, height: 0, ...box }
}

/** The colour of a point of the window, as drawn. */
async function colorAt(page: Page, x: number, y: number): Promise<number[]> {
  const png = await page.screenshot({ clip: { x, y, width: 1, height: 1 } })
  return page.evaluate(
    async (bytes) => {
      const bitmap = await createImageBitmap(new Blob([new Uint8Array(bytes)]))
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      context?.drawImage(bitmap, 0, 0)
      return [...(context?.getImageData(0, 0, 1, 1).data ?? [])]
    },
    [...png],
  )
}

test('a menu that is higher than the window shows a shade where it goes on', async ({ amaraPage: page }) => {
  await page.setViewportSize({ width: 780, height: 360 })
  await page.getByRole('button', { name: 'Back to connections' }).click()
  await page.getByRole('button', { name: /^User menu/ }).click()
  const menu = page.getByRole('menu', { name: 'User menu' })
  await expect(menu).toBeInViewport({ ratio: 1 })
  const { x, y, height } = await boxOf(page, '[role=menu]')
  const [middle, bottom] = [y + height / 2, y + height - 3]
  expect(await colorAt(page, x + 10, bottom)).not.toEqual(await colorAt(page, x + 10, middle))
  await page.keyboard.press('End')
  await menu.evaluate((element) => element.scrollTo({ top: element.scrollHeight }))
  expect(await colorAt(page, x + 10, bottom)).toEqual(await colorAt(page, x + 10, middle))
  expect(await colorAt(page, x + 10, y + 3)).not.toEqual(await colorAt(page, x + 10, middle))
})

test('a phone on its side gives its height to the conversation', async ({ amaraPage: page }) => {
  await test.step('the header of a conversation ends in a straight line', async () => {
    const beyond = await page.locator('.chat-h').evaluate((header) => {
      const { bottom } = header.getBoundingClientRect()
      return [...header.querySelectorAll('*')].filter((part) => part.getBoundingClientRect().bottom > bottom).length
    })
    expect(beyond).toBe(0)
  })

  await test.step('the conversation gets the height of any low window', async () => {
    await send(page, helen, 'On its side')
    for (const [width, height, least] of [
      [780, 360, 240],
      [667, 375, 220],
      [568, 320, 150],
      [1440, 500, 380],
    ] as const) {
      await page.setViewportSize({ width, height })
      await sees(page, helen, 'On its side')
      const size = `${width} by ${height}`
      expect.soft((await boxOf(page, '.convo')).height, size).toBeGreaterThan(least)
      for (const part of ['.topbar', '.side', '.chat > .assure'])
        await expect.soft(page.locator(part), `${part} ${size}`).toBeHidden()
      expect.soft(await page.evaluate(() => document.documentElement.scrollHeight), size).toBe(height)
    }
  })

  await test.step('the composer is one row there, and the list alone fills the window', async () => {
    await page.setViewportSize({ width: 780, height: 360 })
    const [field, bar] = [await boxOf(page, '.composer textarea'), await boxOf(page, '.composer-bar')]
    expect(bar.x).toBeGreaterThanOrEqual(field.x + field.width)
    expect(Math.abs(bar.y + bar.height - field.y - field.height)).toBeLessThan(8)
    await composer(page, helen).fill('Still to be seen')
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeInViewport({ ratio: 1 })

    await page.getByRole('button', { name: 'Back to connections' }).click()
    expect((await boxOf(page, '.side')).width).toBe(780)
    await expect(page.locator('.assure')).toBeHidden()
    await page.setViewportSize({ width: 780, height: 900 })
    await expect(page.getByRole('heading', { name: 'Select a Connection' })).toBeVisible()
  })

  await test.step('a conversation stays at its newest message when an alert takes room from it', async () => {
    await page.setViewportSize({ width: 1024, height: 640 })
    await openConversation(page, helen)
    for (let count = 1; count <= 12; count++) await send(page, helen, `Line ${count}`)
    await sees(page, helen, 'Line 12')
    // The alert is inserted between a scroll, such as the one at opening, and its event.
    const fromEnd = await page.locator('.convo').evaluate(async (scroller) => {
      scroller.scrollTop -= 1
      const alert = document.createElement('div')
      alert.style.height = '80px'
      document.querySelector('.composer')?.prepend(alert)
      for (const _ of [1, 2, 3]) await new Promise((resolve) => requestAnimationFrame(resolve))
      return scroller.scrollHeight - scroller.clientHeight - scroller.scrollTop
    })
    expect(fromEnd).toBeLessThan(2)
  })

  await test.step('a locked browser shows the password and its button', async () => {
    await page.setViewportSize({ width: 780, height: 360 })
    await page.keyboard.press('Control+Shift+L')
    await expect(page.getByRole('heading', { name: 'Locked' })).toBeInViewport({ ratio: 1 })
    await expect(page.getByRole('button', { name: 'Unlock' })).toBeInViewport({ ratio: 1 })
  })
})
