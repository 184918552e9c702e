import type { Page } from '@playwright/test'
import { setPreferences } from '../../support/members/notifications.ts'
import { toast } from '../../support/members/account.ts'
import { amara } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

/**
 * Animations, transitions and smooth scrolling of noticeable duration on this page; a spinner may turn, because it
 * shows that work is in progress.
 */
const moving = (page: Page) =>
  page.evaluate(() => {
    const longest = (times: string) => Math.max(...times.split(',').map(Number.parseFloat))
    return [...document.querySelectorAll('html, body *:not(.spin)')].flatMap((part) => {
      const { animationName, animationDuration, transitionDuration, scrollBehavior } = getComputedStyle(part)
      const name = `${part.tagName} ${part.getAttribute('class')}`
      return [
        ...(animationName !== 'none' && longest(animationDuration) > 0.01 ? [`${name}: ${animationName}`] : []),
        ...(longest(transitionDuration) > 0.01 ? [`${name}: transition`] : []),
        ...(scrollBehavior === 'smooth' ? [`${name}: scrolls`] : []),
      ]
    })
  })

/** Shows controls, a toast, a confirmation over them, and a skeleton of something that loads. */
async function showAll(page: Page): Promise<void> {
  await page.goto('/connection-management')
  await page.getByRole('button', { name: 'Copy Code' }).click()
  await expect(toast(page, 'Connection code copied to clipboard')).toBeVisible()
  await page.getByRole('button', { name: 'Generate new code' }).click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await page.evaluate(() => {
    const skeleton = document.createElement('span')
    skeleton.className = 'skel'
    document.body.append(skeleton)
  })
}

test('nothing moves for whoever asks for less motion, in the system or in the settings', async ({
  openBrowser,
  enterAs,
}) => {
  const page = await openBrowser({ reducedMotion: 'no-preference' })
  await enterAs(page, amara)
  await showAll(page)
  const usual = await moving(page)
  for (const what of ['toast', 'dialog', 'skel', 'HTML', 'btn']) expect(usual.join()).toContain(what)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await showAll(page)
  expect(await moving(page)).toEqual([])
  await page.emulateMedia({ reducedMotion: 'no-preference' })

  await setPreferences(page, { animationsEnabled: false })
  await showAll(page)
  await expect(page.locator('html')).toHaveAttribute('data-motion', 'off')
  expect(await moving(page)).toEqual([])

  const visitor = await openBrowser({ reducedMotion: 'reduce' })
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await moving(visitor)).toEqual([])
})
