import { readFileSync } from 'node:fs'
import { chromium as driver } from '@playwright/test'
import { findChromium } from './chromium.mjs'
import { inProject, runMain } from './project.mjs'

/** Draws the icons of the installed application from the logo mark; run it again when the mark changes. */
const paper = '#fdfefe'
const icons = [
  { name: 'icon-192', size: 192, mark: 0.84 },
  { name: 'icon-512', size: 512, mark: 0.84 },
  // Platforms may crop up to a fifth from each side.
  { name: 'maskable-512', size: 512, mark: 0.58, background: paper },
  { name: 'apple-touch', size: 180, mark: 0.66, background: paper },
]

await runMain(async () => {
  const mark = readFileSync(inProject('packages', 'web', 'public', 'mark.svg'), 'utf8')
  const browser = await driver.launch({
    executablePath: await findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  const page = await browser.newPage()
  for (const { name, size, mark: part, background = 'transparent' } of icons) {
    const edge = Math.round(size * part)
    await page.setViewportSize({ width: size, height: size })
    await page.setContent(`<style>
      body { margin: 0; height: 100vh; display: grid; place-items: center; background: ${background} }
      svg { width: ${edge}px; height: ${edge}px }</style>${mark}`)
    await page.screenshot({
      path: inProject('packages', 'web', 'public', 'icons', `${name}.png`),
      omitBackground: background === 'transparent',
    })
  }
  await browser.close()
  return 0
})
